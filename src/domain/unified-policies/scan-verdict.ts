import { z } from 'zod';
import { costlyFactsOf, filtersSql, statesSql } from '#domain/automations/conditions/evaluate-filters.ts';
import { factColumns } from '#domain/automations/conditions/finding-facts.ts';
import { join, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { enforcementOf, listEnforcing, resolvePolicies } from './certain-modes.ts';

/** What the policies say about the findings of a scan. */
export interface ScanVerdict {
  isBlocked: boolean;
  /** Names the policies that block, for the log of the check. */
  reason: string;
  /** The findings that block, as the scanner knows them. */
  matchBasedIds: string[];
}

export const UNBLOCKED: ScanVerdict = { isBlocked: false, reason: '', matchBasedIds: [] };

const JudgedFinding = z.object({
  id: z.string(),
  match_based_id: z.string().optional(),
  /** The positions of the policies that match. */
  matched: z.array(z.number()),
});

const MAX_LISTED_IDS = 10_000;
const MAX_NAMED_POLICIES = 5;

/**
 * Judges the findings that a completed scan has on its ref, without ignored and muted ones, by all policies that block
 * or comment. Findings get the strictest mode that matched.
 */
export async function judgeScan(
  tx: Tx,
  { deployment, scan, isFull }: { deployment: string; scan: string; isFull: boolean },
): Promise<ScanVerdict> {
  const enforcing = await listEnforcing(tx, deployment);
  if (enforcing.length === 0) return UNBLOCKED;
  const { policies, references } = await resolvePolicies(tx, deployment, enforcing);
  const needed = costlyFactsOf(policies.map(({ filters }) => filters));
  const matches = policies.map(
    ({ filters, triggerSource }, index) =>
      sql`case when ${filtersSql(filters, references)} and ${statesSql(filters, triggerSource)} then ${index}::int end`,
  );
  const rows = await tx.all(JudgedFinding)`
    select id, match_based_id, matched from (
      select finding.id, finding.match_based_id,
        array_remove(array[${unprepared(join(matches, sql`, `))}]::int[], null) as matched
      from (
        select ${factColumns(needed, isFull)}, finding.match_based_id from finding
        where finding.deployment_id = ${deployment} and finding.triage_state <> 'ignored' and finding.id in (
          select detection.finding_id from scan
          join analysis on analysis.deployment_id = ${deployment} and analysis.ref_id = scan.ref_id
            and analysis.last_scan_id = scan.id
          join detection on detection.deployment_id = ${deployment} and detection.analysis_id = analysis.id
          where scan.deployment_id = ${deployment} and scan.id = ${scan}
            and detection.state = 'detected' and not detection.is_muted)
      ) as finding
    ) as judged where cardinality(matched) > 0 order by id`;
  const modes = policies.map(enforcementOf);
  const blocking = rows.filter(({ matched }) => matched.some((index) => modes[index] === 'block'));
  const blocked = new Set(blocking.map(({ id }) => id));
  await tx.run`
    update finding set mode = given.mode
    from unnest(${rows.map(({ id }) => id)}::bigint[],
                ${rows.map(({ id }) => (blocked.has(id) ? 'block' : 'comment'))}::text[]) as given (id, mode)
    where finding.deployment_id = ${deployment} and finding.id = given.id
      and (finding.mode, given.mode) in (('monitor', 'comment'), ('monitor', 'block'), ('comment', 'block'))`;
  if (blocking.length === 0) return UNBLOCKED;
  const indexes = new Set(blocking.flatMap(({ matched }) => matched).filter((index) => modes[index] === 'block'));
  const names = [...indexes].sort((left, right) => left - right).flatMap((index) => policies[index]?.name ?? []);
  const more = names.length > MAX_NAMED_POLICIES ? ` and ${names.length - MAX_NAMED_POLICIES} more` : '';
  const counted = blocking.length === 1 ? '1 finding is' : `${blocking.length} findings are`;
  return {
    isBlocked: true,
    reason: `${counted} blocked by ${names.slice(0, MAX_NAMED_POLICIES).join(', ')}${more}.`,
    matchBasedIds: blocking.flatMap(({ match_based_id: id }) => id ?? []).slice(0, MAX_LISTED_IDS),
  };
}
