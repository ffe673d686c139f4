import type { FindingsBehindTotal } from '#web/ui/charts/data/chart-data.ts';
import { findingsFilterOf, type GuardrailsScope } from './filter-params.ts';
import type { GuardrailClass, GuardrailsFindingsReport, GuardrailsReport } from './guardrails.ts';

function countIn(
  { buckets, totals, totalOpened }: GuardrailsFindingsReport,
  bucket?: number,
  className?: GuardrailClass,
) {
  if (bucket !== undefined) return buckets[bucket]?.[className ?? 'all'];
  return className === undefined ? totalOpened : totals[className];
}

/** The list of findings that each number links to: one bucket and class, or a total. */
export function guardrailsLinkTargets(
  { buckets }: GuardrailsReport,
  findings: GuardrailsFindingsReport | undefined,
  scope: GuardrailsScope,
): FindingsBehindTotal {
  return ({ bucket, series }) => {
    const [first, last] = bucket === undefined ? [buckets[0], buckets.at(-1)] : [buckets[bucket], buckets[bucket]];
    if (!first || !last) return undefined;
    const period = { since: new Date(first.timePeriod.since), until: new Date(last.timePeriod.until) };
    const q = findingsFilterOf(period, series, scope);
    if (q === undefined) return undefined;
    return { q, findings: findings && countIn(findings, bucket, series as GuardrailClass | undefined) };
  };
}
