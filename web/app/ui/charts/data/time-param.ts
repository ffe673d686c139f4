import { type ParamReader, textParam } from '#web/foundation/url/search-params.ts';
import { parseTime } from './time-buckets.ts';

const EPOCH = new Date(0);

/** A date, or a relative time such as `-90d`; the URL keeps it as it was typed. */
export const timeParam: ParamReader<string> = (given) => {
  const value = textParam(given);
  return value !== undefined && parseTime(value, EPOCH) !== undefined ? value : undefined;
};
