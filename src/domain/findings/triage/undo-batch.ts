import { canIgnoreFindings } from '#domain/products/triage-permission.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
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

const isVisible = (context: CallerContext) =>
  sql`(${inIncludedProjects({}, context)} or ${inIncludedProjects({ isArchived: true }, context)})`;

const ofBatch = ({ caller }: CallerContext, batch: string) => sql`
  event.deployment_id = ${unestimated(caller.deployment)} and event.kind = 'triaged' and event.batch_id = (
    select batch.id from finding_batch as batch where batch.deployment_id = ${unestimated(caller.deployment)}
      and batch.id = ${batch} and batch.kind in ('triage', 'undo', 'expiry'))`;

/** The events of a batch whose findings were not triaged since, and that the caller may restore. */
const undoable = (context: CallerContext, batch: string, canIgnore: boolean) => sql`
  select finding.id, event.before from finding_event as event
  join finding on finding.deployment_id = event.deployment_id and finding.id = event.finding_id
  where ${ofBatch(context, batch)} and ${isVisible(context)} and (${canIgnore} or event.before->>'state' <> 'ignored')
    and not exists (select from finding_event as later where later.deployment_id = event.deployment_id
      and later.finding_id = event.finding_id and later.kind = 'triaged' and later.id > event.id)`;

/** A batch is visible to callers who may see at least one of its findings. */
export async function isVisibleBatch(tx: Tx, context: CallerContext, batch: string): Promise<boolean> {
  const rows = await tx.rows`
    select from finding_event as event
    join finding on finding.deployment_id = event.deployment_id and finding.id = event.finding_id
    where ${ofBatch(context, batch)} and ${isVisible(context)} limit 1`;
  return rows.length > 0;
}

/** Opens the batch of an undo on first use. */
export type OpenUndoBatch = () => Promise<string>;
export type RestoreCounts = Omit<UndoBatchResult, 'batch'>;

const restoreNothing = async (): Promise<RestoreCounts> => ({ undone: 0, skipped: 0 });

/**
 * Restores what a batch changed, unless it was changed again since: first findings, then other items of the batch.
 * Repeating it finds nothing to do.
 */
export async function undoTriageBatch(
  tx: Tx,
  context: CallerContext,
  batch: string,
  restoreOthers: (openBatch: OpenUndoBatch) => Promise<RestoreCounts> = restoreNothing,
): Promise<UndoBatchResult> {
  const { caller, now } = context;
  const { deployment } = caller;
  const actor = actorOf(caller);
  let undoBatch: string | undefined;
  const openBatch: OpenUndoBatch = async () => {
    undoBatch ??= await openTriageBatch(tx, { deployment, kind: 'undo', actor, at: now });
    return undoBatch;
  };
  const findings = await restoreFindings(tx, context, batch, openBatch);
  const others = await restoreOthers(openBatch);
  const undone = findings.undone + others.undone;
  const skipped = findings.skipped + others.skipped;
  if (undone + skipped === 0) throw NOT_FOUND();
  if (undoBatch !== undefined)
    await tx.run`
      update finding_batch set undone_at = ${now}, undone_by = ${actor}
      where deployment_id = ${unestimated(deployment)} and id = ${batch}`;
  return { batch: undoBatch, undone, skipped };
}

async function restoreFindings(
  tx: Tx,
  context: CallerContext,
  batch: string,
  openBatch: OpenUndoBatch,
): Promise<RestoreCounts> {
  const { caller, now } = context;
  const { deployment } = caller;
  const canIgnore = await canIgnoreFindings(tx, caller);
  const locked = await tx.all(RowId)`
    select finding.id from finding
    where ${isVisible(context)} and finding.deployment_id = ${unestimated(deployment)} and finding.id in (
      select event.finding_id from finding_event as event where ${ofBatch(context, batch)})
    order by finding.id for no key update`;
  const [first] = await tx.rows`select from (${undoable(context, batch, canIgnore)}) as undoable limit 1`;
  if (!first) return { undone: 0, skipped: locked.length };
  const undoBatch = await openBatch();
  const next = sql`select id, ${triageColumnsOf(sql`undoable.before`)}
    from (${undoable(context, batch, canIgnore)}) as undoable`;
  const changed = await writeDecisions(tx, { deployment, batch: undoBatch, at: now, next });
  await restoreExceptions(tx, context, { findings: changed, undone: batch, batch: undoBatch });
  return { undone: changed.length, skipped: locked.length - changed.length };
}
