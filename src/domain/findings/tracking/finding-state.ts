import { RowExists } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const FLAPPING_DAYS = 14;
const FLAPPING_TOGGLES = 3;
const MANY_FINDINGS = 500;

/**
 * Derives the state of findings from their detections. The project's primary ref decides; secrets count on any ref.
 * `touched` is a subquery of finding ids. A fixed finding that is detected again counts as reopened only if a scan
 * reported it (`isNews`). With a batch, an event is recorded for each finding that is new on the primary ref.
 */
export async function updateFindingStates(
  tx: Tx,
  deployment: string,
  { touched, at, batch, isNews = true }: { touched: Sql; at: Date; batch?: string; isNews?: boolean },
): Promise<void> {
  await tuneForTouched(tx, touched);
  await tx.run`
    with touched (finding_id) as materialized (select distinct * from (${touched}) as ids),
    counted as (
      select touched.finding_id as id, min(finding.state) as old_state,
        bool_or(detection.state = 'detected') filter (where is_authoritative) as is_detected,
        bool_or(detection.state = 'detected') as is_anywhere,
        (array_agg(detection.state order by detection.changed_at desc, detection.id desc)
          filter (where is_authoritative))[1] as last_here,
        (array_agg(detection.state order by detection.changed_at desc, detection.id desc))[1] as last_anywhere,
        (array_agg(detection.reason order by detection.changed_at desc, detection.id desc))[1] as last_reason,
        bool_and(detection.is_muted) filter (where detection.state = 'detected' and is_authoritative) as is_muted,
        bool_or(detection.is_held) as is_held
      from touched
      cross join lateral (
        select * from finding where finding.deployment_id = ${unestimated(deployment)}
          and finding.id = touched.finding_id
        limit 1) as finding
      cross join lateral (
        select * from detection
        where detection.deployment_id = ${unestimated(deployment)} and detection.finding_id = touched.finding_id
        offset 0) as detection
      join analysis on analysis.deployment_id = ${unestimated(deployment)} and analysis.id = detection.analysis_id
      join project_ref on project_ref.deployment_id = ${unestimated(deployment)} and project_ref.id = analysis.ref_id
      join project on project.deployment_id = ${unestimated(deployment)} and project.id = finding.project_id
      cross join lateral (select finding.product = 'secrets'
        or project_ref.ref = coalesce(project.primary_branch, project.default_branch) as is_authoritative) as ref_role
      group by touched.finding_id
    ),
    summed as (
      select id, old_state, coalesce(is_muted, false) as is_muted, is_held, last_reason,
        case when is_detected then 'detected' when last_here is not null then last_here
             when is_anywhere then 'elsewhere' else last_anywhere end as state
      from counted
    ),
    updated as (
      update finding set state = summed.state, is_muted = summed.is_muted, is_held = summed.is_held,
        removed_reason = case when summed.state = 'removed' then summed.last_reason end,
        fixed_at = case when summed.state <> 'fixed' then null when finding.state = 'fixed' then finding.fixed_at
                        else ${at} end,
        relevant_since = case when ${isNews} and finding.state = 'fixed' and summed.state = 'detected'
                              then ${at} else finding.relevant_since end,
        reopened_count = finding.reopened_count
          + case when ${isNews} and finding.state = 'fixed' and summed.state = 'detected' then 1 else 0 end,
        version = finding.version + 1
      from summed
      where finding.deployment_id = ${unestimated(deployment)} and finding.id = summed.id
        and finding.id = any(array(select finding_id from touched))
        and (finding.state, finding.is_muted, finding.is_held)
          is distinct from (summed.state, summed.is_muted, summed.is_held)
      returning finding.id, summed.old_state, finding.state
    )
    insert into finding_event (deployment_id, finding_id, batch_id, kind, at, before)
    select ${deployment}, id, ${batch ?? null}::bigint, 'landed', ${at}::timestamptz, '{"state": "elsewhere"}'
    from updated
    where ${batch !== undefined}::boolean and old_state = 'elsewhere' and state = 'detected' order by id`;
  await tuneForLookups(tx);
}

/** The statements after it look up single findings. */
export const tuneForLookups = (tx: Tx): Promise<unknown> => tx.run`select set_config('enable_nestloop', 'on', true)`;

/**
 * The planner's statistics of a deployment may be from before its first import: where it expects one finding, it joins
 * all of them in a nested loop. Findings are looked up by their keys instead, and many are joined by hash.
 */
async function tuneForTouched(tx: Tx, touched: Sql): Promise<void> {
  await tx.run`
    select set_config('enable_nestloop',
      case when count(*) > ${MANY_FINDINGS} then 'off' else 'on' end, true)
    from (select from (${touched}) as ids limit ${MANY_FINDINGS + 1}) as counted`;
}

/** Marks findings that are repeatedly closed and reopened, so that they do not trigger notifications each time (C7). */
export async function markFlapping(tx: Tx, deployment: string, { touched, at }: { touched: Sql; at: Date }) {
  await tuneForTouched(tx, touched);
  await tx.run`
    update finding set is_flapping = toggled.is_flapping
    from (
      select touched.finding_id, count(*) >= ${FLAPPING_TOGGLES} as is_flapping
      from (select distinct finding_id from (${touched}) as ids) as touched
      cross join lateral (
        select from finding_event
        where finding_event.deployment_id = ${unestimated(deployment)} and finding_event.finding_id = touched.finding_id
          and finding_event.kind in ('fixed', 'reopened')
          and finding_event.at > ${at}::timestamptz - make_interval(days => ${FLAPPING_DAYS})
        offset 0) as toggle
      group by touched.finding_id
    ) as toggled
    where finding.deployment_id = ${unestimated(deployment)} and finding.id = toggled.finding_id
      and finding.id = any(array(${touched}))
      and finding.is_flapping <> toggled.is_flapping`;
  await tuneForLookups(tx);
}

/** True if the scan may have changed anything; avoids scanning the project's findings otherwise. */
export async function isAnyFindingTouched(tx: Tx): Promise<boolean> {
  const row = await tx.one(RowExists)`select exists (${touchedByScan}) as is_any`;
  return row?.is_any === true;
}

/** The findings whose state the scan may have changed; new ones already have the right state. */
export const touchedByScan = sql`
  select finding_id from seen where pass <> 'new' and (state is distinct from 'detected' or is_changed)
  union select finding_id from closing`;
