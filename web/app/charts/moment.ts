import { type Reader, text } from '#web/url/search.ts';
import { momentOf } from './periods.ts';

const ANY_TIME = new Date(0);

/** A day, or a time before now such as `-90d`: it stays in the address as it was typed. */
export const moment: Reader<string> = (given) => {
  const value = text(given);
  return value !== undefined && momentOf(value, ANY_TIME) !== undefined ? value : undefined;
};
