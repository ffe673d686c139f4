import { moment } from '#web/charts/moment.ts';
import type { BucketSize } from '#web/charts/periods.ts';
import { oneOf, searchOf, text } from '#web/url/search.ts';

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
