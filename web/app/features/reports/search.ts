import { enumParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';
import type { BucketSize } from '#web/ui/charts/data/time-buckets.ts';
import { timeParam } from '#web/ui/charts/data/time-param.ts';

export const guardrailsSearch = searchParser({
  since: timeParam,
  until: timeParam,
  bucket: enumParam<BucketSize>(['day', 'week', 'month']),
  view: enumParam<'chart' | 'table'>(['chart', 'table']),
  types: textParam,
  severities: textParam,
  confidence: textParam,
  reachability: textParam,
  validity: textParam,
  verdicts: textParam,
  deployed: textParam,
  exposure: textParam,
  projects: textParam,
  tags: textParam,
  teams: textParam,
  rules: textParam,
  categories: textParam,
});

export type GuardrailsSearch = ReturnType<typeof guardrailsSearch>;
