import { z } from 'zod';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type CostlyFact, factColumns } from '../conditions/finding-facts.ts';
import type { AutomationTriggerSource } from '../shape.ts';

const ConsideredBatch = z.object({
  id: z.string(),
  kind: z.string(),
  at: z.string(),
  scan_id: z.string().optional(),
  automation_id: z.string().optional(),
  depth: z.number(),
  is_undone: z.boolean(),
  is_full_scan: z.boolean(),
  is_first_scan: z.boolean(),
  /** From the past of a demo, which loading it has considered at its own time. */
  is_made_up: z.boolean(),
});

/** A batch of changes that automations consider. */
export type ConsideredBatch = z.output<typeof ConsideredBatch>;

/** The batch, with whether its scan is the first full one of its project. */
export const findBatch = (tx: Tx, deployment: string, batch: string): Promise<ConsideredBatch | undefined> =>
  tx.one(ConsideredBatch)`
    select batch.id, batch.kind, batch.at, batch.scan_id, batch.automation_id, batch.depth,
      batch.undone_at is not null as is_undone, coalesce(scan.mode = 'full', false) as is_full_scan,
      coalesce(scan.mode = 'full' and not exists (
        select from scan as earlier
        join finding_batch as imported on imported.deployment_id = earlier.deployment_id
          and imported.scan_id = earlier.id and imported.kind = 'scan' and imported.id < batch.id
        where earlier.deployment_id = scan.deployment_id and earlier.project_id = scan.project_id
          and earlier.mode = 'full' and earlier.id <> scan.id), false) as is_first_scan,
      exists (select from demo where demo.deployment_id = batch.deployment_id and demo.as_of >= batch.at) as is_made_up
    from finding_batch as batch
    left join scan on scan.deployment_id = batch.deployment_id and scan.id = batch.scan_id
    where batch.deployment_id = ${unestimated(deployment)} and batch.id = ${batch}`;

/** The trigger of a batch; undefined if no trigger stands for it. */
export function triggerOf({ kind }: ConsideredBatch): AutomationTriggerSource | undefined {
  if (kind === 'scan') return 'TRIGGER_SOURCE_SCAN';
  return ['triage', 'undo', 'expiry'].includes(kind) ? 'TRIGGER_SOURCE_ISSUE_TRIAGED' : undefined;
}

const Count = z.object({ count: z.coerce.number() });

/** The values that facts had before the batch, by the names of facts. */
const overlays = (deployment: string, batch: string): Sql => sql`
  select finding_id,
    coalesce((array_agg(before order by id) filter (where kind = 'changed'))[1], '{}')
      || case when bool_or(kind in ('fixed', 'removed')) then '{"state": "detected"}'::jsonb
              when bool_or(kind = 'redetected') then '{"state": "removed"}'::jsonb else '{}' end
      || coalesce((array_agg(jsonb_build_object('triage_state', before->'state') order by id)
           filter (where kind = 'triaged'))[1], '{}') as overlay,
    (array_agg(before->>'path' order by id) filter (where kind = 'moved'))[1] as old_path,
    (array_agg(after->>'path' order by id) filter (where kind = 'moved'))[1] as new_path,
    bool_or(kind = 'landed') as is_landed
  from finding_event
  where deployment_id = ${unestimated(deployment)} and batch_id = ${batch} and (
    kind in ('changed', 'fixed', 'removed', 'reopened', 'redetected', 'landed')
    or kind = 'moved' and before->>'path' is distinct from after->>'path'
    or kind = 'triaged' and (before->>'state', before->>'reason')
      is distinct from (after->>'state', after->>'reason'))
  group by finding_id`;

/**
 * Stages the findings of a batch as the table `considered`: their facts now, and in `overlay` what was different before
 * the batch. `is_new` marks those whose conditions count as false before it: opened, reopened, landed on the primary
 * ref, or decided about. Returns their number.
 */
export async function stageConsidered(
  tx: Tx,
  deployment: string,
  { batch, needed }: { batch: ConsideredBatch; needed: ReadonlySet<CostlyFact> },
): Promise<number> {
  const isDecision = triggerOf(batch) === 'TRIGGER_SOURCE_ISSUE_TRIAGED';
  await tx.run`
    create temporary table considered on commit drop as
    with event as materialized (${overlays(deployment, batch.id)}),
    touched as (
      select finding_id as id from event
      union
      select id from finding where deployment_id = ${unestimated(deployment)}
        and first_scan_id = ${batch.scan_id ?? null}::bigint
    )
    select ${factColumns(needed, batch.is_full_scan)}, project.archived_at is not null as is_archived,
      ${isDecision}::boolean or finding.relevant_since = ${batch.at}::timestamptz
        or coalesce(event.is_landed, false) as is_new,
      coalesce(event.overlay, '{}') || case when event.new_path = finding.path
        then jsonb_build_object('path', event.old_path) else '{}' end as overlay
    from touched
    join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = touched.id
    join project on project.deployment_id = ${unestimated(deployment)} and project.id = finding.project_id
    left join event on event.finding_id = touched.id`;
  await tx.run`analyze considered`;
  return (await tx.one(Count)`select count(*) as count from considered`)?.count ?? 0;
}
