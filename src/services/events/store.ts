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

const Part = z.object({
  id: z.string(),
  actor: z.string(),
  undone_by: z.string().optional(),
  project_id: z.string(),
  count: z.number(),
});

const listParts = (tx: Tx, deployment: string, batches: readonly string[]) =>
  tx.all(Part)`
    select batch.id, batch.actor, batch.undone_by, finding.project_id, count(distinct finding.id)::int as count
    from finding_batch as batch
    join finding_event as event on event.deployment_id = batch.deployment_id and event.batch_id = batch.id
    join finding on finding.deployment_id = event.deployment_id and finding.id = event.finding_id
    where batch.deployment_id = ${deployment} and batch.id = any(${batches}::bigint[])
    group by batch.id, batch.actor, batch.undone_by, finding.project_id`;

/** Those of the batches that are about what workflows found, too. */
async function listOfWorkflows(tx: Tx, deployment: string, batches: readonly string[]): Promise<Set<string>> {
  const rows = await tx.all(RowId)`
    select wanted.id from unnest(${batches}::bigint[]) as wanted (id)
    where exists (select from finding_bulk as bulk where bulk.deployment_id = ${deployment}
        and bulk.batch_id = wanted.id and bulk.last_workflow_id is not null)
      or exists (select from workflow_issue_activity as activity where activity.deployment_id = ${deployment}
        and activity.batch_id = wanted.id)`;
  return new Set(rows.map(({ id }) => id));
}

const idsOf = <Item>(items: readonly Item[], idOf: (item: Item) => string) => items.map(idOf);

/** What each of these callers shall hear of what was done: the questions are asked once for all of them. */
export async function eventsForCallers(
  tx: Tx,
  deployment: string,
  { records, audience }: { records: readonly AuditedChange[]; audience: readonly Caller[] },
): Promise<(caller: Caller) => LiveEvent[]> {
  const sorted = classifyRecords(records);
  const { scans, batches } = sorted;
  const ended =
    scans.length === 0
      ? []
      : await listScans(
          tx,
          deployment,
          idsOf(scans, ({ scan }) => scan),
        );
  const batchIds = idsOf(batches, ({ batch }) => batch);
  const parts = batchIds.length === 0 ? [] : await listParts(tx, deployment, batchIds);
  const ofWorkflows = batchIds.length === 0 ? new Set() : await listOfWorkflows(tx, deployment, batchIds);
  const changes = mergeWorkflowChanges(sorted, (batch) => ofWorkflows.has(batch));
  const projects = [...new Set([...ended, ...parts].map((one) => one.project_id))];
  const isVisible = await projectVisibilityFor(tx, audience, { deployment, projects });
  const scanById = new Map(ended.map((scan) => [scan.id, scan]));
  const partsById = Map.groupBy(parts, ({ id }) => id);
  return (caller) => {
    const ofScans = scans.flatMap(({ done: { id: record, at }, scan }): LiveEvent[] => {
      const found = scanById.get(scan);
      if (!found || !isVisible(caller, found.project_id)) return [];
      const { project_id: projectId, name: projectName, ref = '', opened, fixed, reopened } = found;
      const data = { scanId: scan, projectId, projectName, ref, opened, fixed, reopened };
      return [{ record, type: 'scan.completed', at, data }];
    });
    const ofBatches = batches.flatMap(({ done: { id: record, at }, batch, isUndone }): LiveEvent[] => {
      const seen = (partsById.get(batch) ?? []).filter(({ project_id }) => isVisible(caller, project_id));
      const [first] = seen;
      if (!first) return [];
      const by = (isUndone ? first.undone_by : undefined) ?? first.actor;
      const data = { batchId: batch, count: seen.reduce((sum, { count }) => sum + count, 0), by };
      return [{ record, type: 'findings.triaged', at, data }];
    });
    return sortByRecord([...ofScans, ...ofBatches, ...changes]);
  };
}
