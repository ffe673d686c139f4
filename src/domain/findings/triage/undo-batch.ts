import { canIgnoreFindings } from '#domain/products/triage-permission.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { inIncludedProjects } from '../filter/filter-sql.ts';
import type { CallerContext } from '../filter/finding-filter.ts';
import { actorOf, openTriageBatch, triageColumnsOf, writeDecisions } from './decisions.ts';
import { restoreExceptions } from './exception-requests.ts';

export interface UndoBatchResult {
  /** The batch of this undo, which can itself be undone; undefined if nothing was restored. */
  batch: string | undefined;
  undone: number;
  /** Triaged again since, not visible, or not allowed to be ignored by the caller. */
  skipped: number;
}

const isSeen = (asking: CallerContext) =>
  sql`(${inIncludedProjects({}, asking)} or ${inIncludedProjects({ isArchived: true }, asking)})`;

const ofBatch = ({ caller }: CallerContext, batch: string) => sql`
  event.deployment_id = ${caller.deployment} and event.kind = 'triaged' and event.batch_id = (
    select made.id from finding_batch as made where made.deployment_id = ${caller.deployment}
      and made.id = ${batch} and made.kind in ('triage', 'undo', 'expiry'))`;

/** The events of a batch whose findings were not triaged since, and that the caller may restore. */
const undoable = (asking: CallerContext, batch: string, mayIgnore: boolean) => sql`
  select finding.id, event.before from finding_event as event
  join finding on finding.deployment_id = event.deployment_id and finding.id = event.finding_id
  where ${ofBatch(asking, batch)} and ${isSeen(asking)} and (${mayIgnore} or event.before->>'state' <> 'ignored')
    and not exists (select from finding_event as later where later.deployment_id = event.deployment_id
      and later.finding_id = event.finding_id and later.kind = 'triaged' and later.id > event.id)`;

/** A batch is visible to callers who may see at least one of its findings. */
export async function isVisibleBatch(tx: Tx, asking: CallerContext, batch: string): Promise<boolean> {
  const rows = await tx.rows`
    select from finding_event as event
    join finding on finding.deployment_id = event.deployment_id and finding.id = event.finding_id
    where ${ofBatch(asking, batch)} and ${isSeen(asking)} limit 1`;
  return rows.length > 0;
}

/** Opens the batch of an undo on first use. */
export type OpenUndoBatch = () => Promise<string>;
export type RestoreCounts = Omit<UndoBatchResult, 'batch'>;

const nothingElse = async (): Promise<RestoreCounts> => ({ undone: 0, skipped: 0 });

/**
 * Restores what a batch changed, unless it was changed again since: first findings, then other items of the batch.
 * Repeating it finds nothing to do.
 */
export async function undoTriageBatch(
  tx: Tx,
  asking: CallerContext,
  batch: string,
  putBackOthers: (opened: OpenUndoBatch) => Promise<RestoreCounts> = nothingElse,
): Promise<UndoBatchResult> {
  const { caller, now } = asking;
  const { deployment } = caller;
  const actor = actorOf(caller);
  let made: string | undefined;
  const opened: OpenUndoBatch = async () => {
    made ??= await openTriageBatch(tx, { deployment, kind: 'undo', actor, at: now });
    return made;
  };
  const own = await putBack(tx, asking, batch, opened);
  const other = await putBackOthers(opened);
  const undone = own.undone + other.undone;
  const skipped = own.skipped + other.skipped;
  if (undone + skipped === 0) throw NOT_FOUND();
  if (made !== undefined)
    await tx.run`
      update finding_batch set undone_at = ${now}, undone_by = ${actor}
      where deployment_id = ${deployment} and id = ${batch}`;
  return { batch: made, undone, skipped };
}

async function putBack(tx: Tx, asking: CallerContext, batch: string, opened: OpenUndoBatch): Promise<RestoreCounts> {
  const { caller, now } = asking;
  const { deployment } = caller;
  const mayIgnore = await canIgnoreFindings(tx, caller);
  const held = await tx.rows`
    select finding.id from finding
    where ${isSeen(asking)} and finding.deployment_id = ${deployment} and finding.id in (
      select event.finding_id from finding_event as event where ${ofBatch(asking, batch)})
    order by finding.id for no key update`;
  const [left] = await tx.rows`select from (${undoable(asking, batch, mayIgnore)}) as undoable limit 1`;
  if (!left) return { undone: 0, skipped: held.length };
  const made = await opened();
  const next = sql`select id, ${triageColumnsOf(sql`undoable.before`)}
    from (${undoable(asking, batch, mayIgnore)}) as undoable`;
  const changed = await writeDecisions(tx, { deployment, batch: made, at: now, next });
  await restoreExceptions(tx, asking, { findings: changed, undone: batch, batch: made });
  return { undone: changed.length, skipped: held.length - changed.length };
}
