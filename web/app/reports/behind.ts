import type { BehindSum } from '#web/charts/data.ts';
import { type Counted, findingsBehind } from './filters.ts';
import type { ClassName, FindingsReply, Reply } from './guardrails.ts';

function countIn({ buckets, totals, totalOpened }: FindingsReply, bucket?: number, className?: ClassName) {
  if (bucket !== undefined) return buckets[bucket]?.[className ?? 'all'];
  return className === undefined ? totalOpened : totals[className];
}

/** What is behind each number of a report: one of a bucket and a class, or a sum. */
export function behindIn({ buckets }: Reply, findings: FindingsReply | undefined, counted: Counted): BehindSum {
  return ({ bucket, series }) => {
    const [first, last] = bucket === undefined ? [buckets[0], buckets.at(-1)] : [buckets[bucket], buckets[bucket]];
    if (!first || !last) return undefined;
    const period = { since: new Date(first.timePeriod.since), until: new Date(last.timePeriod.until) };
    const q = findingsBehind(period, series, counted);
    if (q === undefined) return undefined;
    return { q, findings: findings && countIn(findings, bucket, series as ClassName | undefined) };
  };
}
