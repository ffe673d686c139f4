import { moment } from '#web/charts/moment.ts';
import type { BucketSize } from '#web/charts/periods.ts';
import { oneOf, searchOf, text } from '#web/url/search.ts';

export const overviewSearch = searchOf({
  since: moment,
  until: moment,
  bucket: oneOf<BucketSize>(['day', 'week', 'month']),
  view: oneOf<'chart' | 'table'>(['chart', 'table']),
  q: text,
});

export type OverviewSearch = ReturnType<typeof overviewSearch>;
