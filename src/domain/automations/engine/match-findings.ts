import { z } from 'zod';
import { type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { filtersSql, statesSql } from '../conditions/evaluate-filters.ts';
import type { References } from '../conditions/references.ts';
import type { StoredAutomation } from '../store.ts';

/** The findings that an automation fires for, and how many it passes over, by reason. */
export interface Matches {
  findings: string[];
  suppressed: Record<string, number>;
}

const MatchRow = z.object({
  findings: z.array(z.string()),
  due: z.coerce.number(),
  archived: z.coerce.number(),
  closed: z.coerce.number(),
  matched_before: z.coerce.number(),
});

export interface MatchRequest {
  deployment: string;
  automation: StoredAutomation;
  references: References;
  run: string;
  at: Date;
}

/** Reasons with a count of at least one. */
export const withoutZeros = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/**
 * Evaluates conditions over the rows of a source, aliased as `finding`, and remembers what it fires for: an automation
 * fires when its conditions hold and did not hold before, and once for each finding and episode.
 */
async function matchRows(
  tx: Tx,
  { deployment, automation, references, run, at }: MatchRequest,
  { source, heldBefore }: { source: Sql; heldBefore: Sql },
): Promise<Matches> {
  const { filters, triggerSource } = automation;
  const row = await tx.one(MatchRow)`
    with evaluated as materialized (
      select finding.id, finding.episode, finding.is_archived, ${statesSql(filters, triggerSource)} as is_meant,
        ${unprepared(heldBefore)} as held_before
      from ${source} as finding where ${unprepared(filtersSql(filters, references))}
    ),
    due as (
      select id, episode from evaluated where not is_archived and is_meant and not held_before
    ),
    fired as (
      insert into automation_match (deployment_id, automation_id, finding_id, episode, run_id, at)
      select ${deployment}, ${automation.id}, id, episode, ${run}, ${at} from due
      on conflict do nothing returning finding_id
    )
    select (select coalesce(array_agg(finding_id order by finding_id), '{}') from fired) as findings,
      (select count(*) from due) as due,
      count(*) filter (where is_archived) as archived,
      count(*) filter (where not is_archived and not is_meant) as closed,
      count(*) filter (where not is_archived and is_meant and held_before) as matched_before
    from evaluated`;
  if (!row) throw new Error('An aggregate has no row.');
  const suppressed = withoutZeros({
    archived_project: row.archived,
    not_open: row.closed,
    held_before: row.matched_before,
    already_fired: row.due - row.findings.length,
  });
  return { findings: row.findings, suppressed };
}

/** Matches the staged findings of a batch. */
export function matchConsidered(tx: Tx, request: MatchRequest): Promise<Matches> {
  const { automation, references } = request;
  const { filters, triggerSource } = automation;
  const heldBefore = sql`not finding.is_new and exists (
    select from jsonb_populate_record(finding, finding.overlay) as finding
    where ${filtersSql(filters, references)} and ${statesSql(filters, triggerSource)})`;
  return matchRows(tx, request, { source: sql`considered`, heldBefore });
}

/** Matches findings that existed before, which somebody asked for; `source` selects their facts. */
export const matchExisting = (tx: Tx, request: MatchRequest, source: Sql): Promise<Matches> =>
  matchRows(tx, request, { source: sql`(${source})`, heldBefore: sql`false` });
