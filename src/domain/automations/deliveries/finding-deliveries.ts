import type { Tx } from '#kernel/db/tx.ts';
import { FindingDelivery } from './delivery-shape.ts';

export interface FindingRef {
  deployment: string;
  finding: string;
}

const MAX_SHOWN = 50;

/**
 * What automations sent about a finding, newest first. They are found by the runs that matched it, and by other runs of
 * the same batches: automations that fire for one batch share a message to people.
 */
export const listFindingDeliveries = (tx: Tx, { deployment, finding }: FindingRef): Promise<FindingDelivery[]> =>
  tx.all(FindingDelivery)`
    with own as materialized (
      select run.id, run.batch_id from automation_match as match
      join automation_run as run on run.deployment_id = match.deployment_id and run.id = match.run_id
      where match.deployment_id = ${deployment} and match.finding_id = ${finding}),
    runs as materialized (
      select id from own union
      select sibling.id from own
      join automation on automation.deployment_id = ${deployment}
      join automation_run as sibling on sibling.deployment_id = ${deployment}
        and sibling.automation_id = automation.id and sibling.batch_id = own.batch_id)
    select delivery.id, delivery.automation_id as "automationId", coalesce(automation.name, '') as "automationName",
      delivery.action_type as "actionType", coalesce(destination.name, '') as "destinationName", delivery.kind,
      delivery.state, case when delivery.state in ('waiting', 'failed', 'sent') then ''
        else coalesce(delivery.reason, '') end as reason,
      coalesce(delivery.reference, '') as reference, coalesce(delivery.ended_at, delivery.created_at) as at
    from runs join delivery on delivery.deployment_id = ${deployment} and delivery.run_id = runs.id
      and delivery.findings @> array[${finding}::bigint]
    left join automation on automation.deployment_id = ${deployment} and automation.id = delivery.automation_id
    left join destination on destination.deployment_id = ${deployment} and destination.id = delivery.destination_id
    order by delivery.id desc limit ${MAX_SHOWN}::int`;
