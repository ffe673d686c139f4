import { type ParamReader, textParam } from '#web/foundation/url/search-params.ts';
import { parseTime } from './time-buckets.ts';

const ANY_TIME = new Date(0);

/** A day, or a time before now such as `-90d`: it stays in the address as it was typed. */
export const timeParam: ParamReader<string> = (given) => {
  const value = textParam(given);
  return value !== undefined && parseTime(value, ANY_TIME) !== undefined ? value : undefined;
};
