import { z } from 'zod';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { markFlapping, updateFindingStates } from '../tracking/finding-state.ts';
import { endFinishedEpisodes } from '../tracking/pull-request-episodes.ts';
import { lockProject } from './ingest.ts';

export interface ClosingsDecision {
  deployment: string;
  scan: string;
  actor: string;
  at: Date;
  /** The findings are gone, as the report says; otherwise the report is wrong, and they stay open. */
  isConfirmed: boolean;
}

export interface DecidedClosings {
  batch: string;
  count: number;
}

const ScanProject = z.object({ project_id: z.string() });
const DecidedDetection = z.object({ analysis_id: z.string(), finding_id: z.string() });

/** Decides the closings that a scan held, instead of the next full scan; undefined if it holds none. */
export async function decideClosings(tx: Tx, decision: ClosingsDecision): Promise<DecidedClosings | undefined> {
  const { deployment, scan, actor, at, isConfirmed } = decision;
  const row = await tx.one(ScanProject)`
    select project_id from scan where deployment_id = ${unestimated(deployment)} and id = ${scan}`;
  if (!row) return undefined;
  const { project_id: project } = row;
  // Taken before any row lock, as imports do, to avoid deadlocks.
  await lockProject(tx, { deployment, project });
  const held = await tx.all(DecidedDetection)`
    select detection.analysis_id, detection.finding_id from analysis
    join detection on detection.deployment_id = analysis.deployment_id and detection.analysis_id = analysis.id
    where analysis.deployment_id = ${unestimated(deployment)} and analysis.project_id = ${project} and detection.is_held
      and detection.changed_scan_id = ${scan}
    for no key update of detection`;
  if (held.length === 0) return undefined;
  const batch = await tx.one(RowId)`
    insert into finding_batch (deployment_id, kind, scan_id, actor, at)
    values (${deployment}, ${isConfirmed ? 'confirmation' : 'rejection'}, ${scan}, ${actor}, ${at}) returning id`;
  if (!batch) throw new Error('The batch was not stored.');
  const findings = [...new Set(held.map(({ finding_id: finding }) => finding))];
  const touched = sql`select unnest(${findings}::bigint[]) as finding_id`;
  const write = isConfirmed ? close : keepOpen;
  await write(tx, { ...decision, batch: batch.id, held });
  await updateFindingStates(tx, deployment, { touched, at });
  await markFlapping(tx, deployment, { touched, at });
  if (isConfirmed) await endFinishedEpisodes(tx, { deployment, project }, { at });
  return { batch: batch.id, count: held.length };
}

interface DecidedBatch extends ClosingsDecision {
  batch: string;
  held: readonly z.output<typeof DecidedDetection>[];
}

const heldSql = (held: DecidedBatch['held']) => sql`
  unnest(${held.map(({ analysis_id: analysis }) => analysis)}::bigint[],
    ${held.map(({ finding_id: finding }) => finding)}::bigint[]) as held (analysis_id, finding_id)`;

/** Closes the findings as the scan would have, and measures later scans by the next full one. */
async function close(tx: Tx, { deployment, scan, at, batch, held }: DecidedBatch): Promise<void> {
  await tx.run`
    with closing as materialized (
      select held.*, coalesce(verdict.verdict, 'fixed') as verdict from ${heldSql(held)}
      left join lateral (
        select event.after->>'verdict' as verdict from finding_event as event
        where event.deployment_id = ${unestimated(deployment)} and event.finding_id = held.finding_id
          and event.analysis_id = held.analysis_id and event.kind = 'held'
        order by event.id desc limit 1) as verdict on true
    ),
    closed as (
      update detection set state = case verdict when 'fixed' then 'fixed' else 'removed' end,
        reason = nullif(verdict, 'fixed'), is_held = false, changed_at = ${at}, changed_scan_id = ${scan}
      from closing
      where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = closing.analysis_id
        and detection.finding_id = closing.finding_id
      returning detection.analysis_id, detection.finding_id, detection.state, detection.reason
    )
    insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at, before, after)
    select ${deployment}, finding_id, ${batch}, analysis_id, state, ${at}, '{"state": "detected"}',
      jsonb_build_object('reason', reason)
    from closed order by finding_id, analysis_id`;
  await tx.run`
    update analysis set rule_count = null, path_count = null
    where deployment_id = ${unestimated(deployment)} and id in (select analysis_id from ${heldSql(held)})`;
}

async function keepOpen(tx: Tx, { deployment, at, batch, held }: DecidedBatch): Promise<void> {
  await tx.run`
    with kept as (
      update detection set is_held = false, changed_at = ${at} from ${heldSql(held)}
      where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = held.analysis_id
        and detection.finding_id = held.finding_id
      returning detection.analysis_id, detection.finding_id
    )
    insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at)
    select ${deployment}, finding_id, ${batch}, analysis_id, 'kept', ${at} from kept order by finding_id, analysis_id`;
}
