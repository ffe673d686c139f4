import { enumParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';
import type { BucketSize } from '#web/ui/charts/data/time-buckets.ts';
import { timeParam } from '#web/ui/charts/data/time-param.ts';

export const overviewSearch = searchParser({
  since: timeParam,
  until: timeParam,
  bucket: enumParam<BucketSize>(['day', 'week', 'month']),
  view: enumParam<'chart' | 'table'>(['chart', 'table']),
  q: textParam,
});

export type OverviewSearch = ReturnType<typeof overviewSearch>;
