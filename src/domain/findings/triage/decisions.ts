import { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type EpisodeDecision, recordEpisodeDecisions } from '../guardrails/episodes.ts';
import { TRIAGE_STATES, type TriageState } from '../shape.ts';
import { announceBatch } from '../tracking/announce-batch.ts';

export type TriageBatchKind = 'triage' | 'undo' | 'expiry';

/** The actor as shown to people: an e-mail address, or a token. */
export const actorOf = (caller: Caller): string => (caller.kind === 'user' ? caller.email : `token ${caller.name}`);

export interface NewTriageBatch {
  deployment: string;
  kind: TriageBatchKind;
  actor: string;
  at: Date;
  note?: string;
  /** The automation that decides, and how many automations are in the chain of causes. */
  cause?: { automation: string; depth: number };
}

/** Opens a batch that further transactions continue; the last one announces it. */
export async function openLongTriageBatch(
  tx: Tx,
  { deployment, kind, actor, at, note, cause }: NewTriageBatch,
): Promise<string> {
  const batch = await tx.one(RowId)`
    insert into finding_batch (deployment_id, kind, actor, at, note, automation_id, depth)
    values (${deployment}, ${kind}, ${actor}, ${at}, ${note ?? null}, ${cause?.automation ?? null},
      ${cause?.depth ?? 0}) returning id`;
  if (!batch) throw new Error('The batch was not stored.');
  return batch.id;
}

/** Opens a batch for the changes of this transaction. */
export async function openTriageBatch(tx: Tx, opening: NewTriageBatch): Promise<string> {
  const batch = await openLongTriageBatch(tx, opening);
  await announceBatch(tx, { deployment: opening.deployment, batch });
  return batch;
}

const ChangedFinding = z.object({ finding_id: z.string() });
const DecidedEpisode = z.object({
  id: z.string(),
  triage_state: z.enum(Object.keys(TRIAGE_STATES) as TriageState[]),
  triage_until: z.string().optional(),
});

/** All triage fields of a finding, as stored in events, so that they can be restored. */
const triageFacts = sql`jsonb_build_object('state', finding.triage_state, 'reason', finding.triage_reason,
  'note', finding.triage_note, 'until', finding.triage_until, 'at', finding.triaged_at, 'by', finding.triaged_by,
  'source', finding.triage_source, 'assignee', finding.assignee_id)`;

/** Reads the triage fields of an event as columns of `next`. */
export const triageColumnsOf = (event: Sql): Sql => sql`
  ${event}->>'state' as state, ${event}->>'reason' as reason, ${event}->>'note' as note,
  (${event}->>'until')::timestamptz as until, (${event}->>'at')::timestamptz as at, ${event}->>'by' as by,
  ${event}->>'source' as source, (${event}->>'assignee')::bigint as assignee`;

/**
 * Writes decisions and one event per finding; the caller holds the row locks. `next` is a subquery of finding ids with
 * their new values: state, reason, note, until, at, by, source and assignee.
 */
export async function writeDecisions(
  tx: Tx,
  { deployment, batch, at, next }: { deployment: string; batch: string; at: Date; next: Sql },
): Promise<string[]> {
  const rows = await tx.all(ChangedFinding)`
    with next as materialized (${next}),
    old as (
      select finding.id, ${triageFacts} as facts from finding join next using (id)
      where finding.deployment_id = ${unestimated(deployment)}
    ),
    updated as (
      update finding set triage_state = next.state, triage_reason = next.reason, triage_note = next.note,
        triage_until = next.until, triaged_at = next.at, triaged_by = next.by, triage_source = next.source,
        assignee_id = next.assignee, version = finding.version + 1
      from next where finding.deployment_id = ${unestimated(deployment)} and finding.id = next.id
      returning finding.id, ${triageFacts} as facts
    )
    insert into finding_event (deployment_id, finding_id, batch_id, kind, at, before, after)
    select ${deployment}, updated.id, ${batch}, 'triaged', ${at}, old.facts, updated.facts
    from updated join old using (id) order by updated.id
    returning finding_id`;
  const changed = rows.map(({ finding_id: finding }) => finding);
  await recordOnEpisodes(tx, { deployment, at }, changed);
  return changed;
}

/** Guardrail reports count decisions made while an issue was on a pull request. */
async function recordOnEpisodes(
  tx: Tx,
  { deployment, at }: { deployment: string; at: Date },
  findings: readonly string[],
): Promise<void> {
  if (findings.length === 0) return;
  const rows = await tx.all(DecidedEpisode)`
    select episode.id, finding.triage_state, finding.triage_until
    from unnest(${findings}::bigint[]) as decided (id)
    join guardrail_episode as episode on episode.deployment_id = ${unestimated(deployment)}
      and episode.issue_key = 'finding:' || decided.id and episode.ended_at is null
    join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = decided.id`;
  if (rows.length === 0) return;
  await recordEpisodeDecisions(
    tx,
    deployment,
    rows.map(
      ({ id, triage_state: state, triage_until: until }): EpisodeDecision => ({
        episode: id,
        at,
        state: TRIAGE_STATES[state].episode,
        ...(until !== undefined && { expiresAt: new Date(until) }),
      }),
    ),
  );
}
