import { z } from 'zod';
import { projectVisibilityFor } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type AuditedChange, classifyRecords, type LiveEvent, mergeWorkflowChanges, sortByRecord } from './rules.ts';

const EndedScan = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  ref: z.string().optional(),
  opened: z.number(),
  fixed: z.number(),
  reopened: z.number(),
});

const listScans = (tx: Tx, deployment: string, scans: readonly string[]) =>
  tx.all(EndedScan)`
    select scan.id, scan.project_id, project.name, project_ref.ref,
      coalesce((scan.changes->>'opened')::int, 0) as opened, coalesce((scan.changes->>'fixed')::int, 0) as fixed,
      coalesce((scan.changes->>'reopened')::int, 0) as reopened
    from scan
    join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    left join project_ref on project_ref.deployment_id = scan.deployment_id
      and project_ref.id = scan.ref_id
    where scan.deployment_id = ${deployment} and scan.id = any(${scans}::bigint[])`;

const BatchPart = z.object({
  id: z.string(),
  actor: z.string(),
  undone_by: z.string().optional(),
  project_id: z.string(),
  count: z.number(),
});

const listParts = (tx: Tx, deployment: string, batches: readonly string[]) =>
  tx.all(BatchPart)`
    select batch.id, batch.actor, batch.undone_by, finding.project_id, count(distinct finding.id)::int as count
    from finding_batch as batch
    join finding_event as event on event.deployment_id = batch.deployment_id and event.batch_id = batch.id
    join finding on finding.deployment_id = event.deployment_id and finding.id = event.finding_id
    where batch.deployment_id = ${deployment} and batch.id = any(${batches}::bigint[])
    group by batch.id, batch.actor, batch.undone_by, finding.project_id`;

/** The batches that also concern workflow issues. */
async function findWorkflowBatches(tx: Tx, deployment: string, batches: readonly string[]): Promise<Set<string>> {
  const rows = await tx.all(RowId)`
    select requested.id from unnest(${batches}::bigint[]) as requested (id)
    where exists (select from finding_bulk as bulk where bulk.deployment_id = ${deployment}
        and bulk.batch_id = requested.id and bulk.last_workflow_id is not null)
      or exists (select from workflow_issue_activity as activity where activity.deployment_id = ${deployment}
        and activity.batch_id = requested.id)`;
  return new Set(rows.map(({ id }) => id));
}

const idsOf = <Item>(items: readonly Item[], idOf: (item: Item) => string) => items.map(idOf);

/** Loads the events of audit records once for several callers, and returns the events that each may see. */
export async function eventsForCallers(
  tx: Tx,
  deployment: string,
  { records, callers }: { records: readonly AuditedChange[]; callers: readonly Caller[] },
): Promise<(caller: Caller) => LiveEvent[]> {
  const classified = classifyRecords(records);
  const { scans, batches } = classified;
  const endedScans =
    scans.length === 0
      ? []
      : await listScans(
          tx,
          deployment,
          idsOf(scans, ({ scan }) => scan),
        );
  const batchIds = idsOf(batches, ({ batch }) => batch);
  const parts = batchIds.length === 0 ? [] : await listParts(tx, deployment, batchIds);
  const workflowBatches = batchIds.length === 0 ? new Set() : await findWorkflowBatches(tx, deployment, batchIds);
  const changes = mergeWorkflowChanges(classified, (batch) => workflowBatches.has(batch));
  const projects = [...new Set([...endedScans, ...parts].map((one) => one.project_id))];
  const isVisible = await projectVisibilityFor(tx, callers, { deployment, projects });
  const scanById = new Map(endedScans.map((scan) => [scan.id, scan]));
  const partsById = Map.groupBy(parts, ({ id }) => id);
  return (caller) => {
    const scanEvents = scans.flatMap(({ done: { id: record, at }, scan }): LiveEvent[] => {
      const found = scanById.get(scan);
      if (!found || !isVisible(caller, found.project_id)) return [];
      const { project_id: projectId, name: projectName, ref = '', opened, fixed, reopened } = found;
      const data = { scanId: scan, projectId, projectName, ref, opened, fixed, reopened };
      return [{ record, type: 'scan.completed', at, data }];
    });
    const batchEvents = batches.flatMap(({ done: { id: record, at }, batch, isUndone }): LiveEvent[] => {
      const visible = (partsById.get(batch) ?? []).filter(({ project_id }) => isVisible(caller, project_id));
      const [first] = visible;
      if (!first) return [];
      const by = (isUndone ? first.undone_by : undefined) ?? first.actor;
      const data = { batchId: batch, count: visible.reduce((sum, { count }) => sum + count, 0), by };
      return [{ record, type: 'findings.triaged', at, data }];
    });
    return sortByRecord([...scanEvents, ...batchEvents, ...changes]);
  };
}
