import { type BucketSize, momentOf } from '#web/charts/periods.ts';
import { oneOf, type Reader, searchOf, text } from '#web/url/search.ts';

const ANY_TIME = new Date(0);

/** A day, or a time before now such as `-90d`: it stays as it was typed. */
const moment: Reader<string> = (given) => {
  const value = text(given);
  return value !== undefined && momentOf(value, ANY_TIME) !== undefined ? value : undefined;
};

export const guardrailsSearch = searchOf({
  since: moment,
  until: moment,
  bucket: oneOf<BucketSize>(['day', 'week', 'month']),
  view: oneOf<'chart' | 'table'>(['chart', 'table']),
  types: text,
  severities: text,
  confidence: text,
  reachability: text,
  validity: text,
  verdicts: text,
  deployed: text,
  exposure: text,
  projects: text,
  tags: text,
  teams: text,
  rules: text,
  categories: text,
});

export type GuardrailsSearch = ReturnType<typeof guardrailsSearch>;
