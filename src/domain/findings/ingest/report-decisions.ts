import type { ReportedDecision } from '#domain/reports/report-items.ts';
import { RowExists } from '#kernel/db/query/row-schemas.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ScanStamp } from '../tracking/apply-matches.ts';
import type { TrackingTarget } from '../tracking/candidates.ts';

/**
 * Applies decisions that the report contains, and ends those that it no longer contains (C8). Decisions of people are
 * not changed: only untriaged findings and those decided by an earlier report are.
 */
export async function applyReportDecisions(
  tx: Tx,
  { deployment, project }: TrackingTarget,
  stamp: ScanStamp & { decisionCount: number; vex: readonly ReportedDecision[] },
): Promise<number> {
  const earlier = await tx.one(RowExists)`
    select exists (select from finding where deployment_id = ${unestimated(deployment)} and project_id = ${project}
      and triage_source = 'sarif') as is_any`;
  if (stamp.decisionCount === 0 && earlier?.is_any !== true) return 0;
  const vex = stamp.vex.map(({ advisory, package: name, state, reason, note }) => ({
    advisory: advisory?.toUpperCase(),
    package: name?.toLowerCase(),
    state,
    reason,
    note,
  }));
  return tx.run`
    with statement as (
      select distinct on (advisory, package) *
      from jsonb_to_recordset(${JSON.stringify(vex)}::jsonb)
        as statement (advisory text, package text, state text, reason text, note text)
      order by advisory, package, state nulls last
    ),
    advised as (
      select distinct finding.id, lower(finding.package) as package, upper(name) as advisory
      from finding cross join lateral jsonb_array_elements_text(finding.detail->'advisories') as name
      where finding.deployment_id = ${unestimated(deployment)} and finding.project_id = ${project}
        and finding.product = 'sca'
    ),
    reported as (
      select matched.finding_id, incoming.suppression as state, incoming.suppression_reason as reason,
        incoming.suppression_note as note
      from matched join stage_finding as incoming using (n)
      where incoming.suppression is not null or exists (select from finding
        where finding.deployment_id = ${unestimated(deployment)}
        and finding.project_id = ${project} and finding.id = matched.finding_id and finding.triage_source = 'sarif')
      union all
      select advised.id, statement.state, statement.reason, statement.note
      from statement join advised using (advisory, package)
      union all
      select advised.id, statement.state, statement.reason, statement.note
      from statement join advised using (advisory) where statement.package is null
    ),
    latest as (select distinct on (finding_id) * from reported order by finding_id, state nulls last),
    decided as (
      update finding set triage_state = coalesce(latest.state, 'untriaged'), triage_reason = latest.reason,
        triage_note = latest.note, triage_source = case when latest.state is not null then 'sarif' end,
        triaged_at = case when latest.state is not null then ${stamp.at}::timestamptz end,
        triaged_by = case when latest.state is not null then 'report' end, version = finding.version + 1
      from latest, (select id, triage_state, triage_reason, triage_note from finding
        where deployment_id = ${unestimated(deployment)} and project_id = ${project}) as old
      where finding.deployment_id = ${unestimated(deployment)} and finding.project_id = ${project}
        and finding.id = latest.finding_id and old.id = finding.id
        and (finding.triage_state = 'untriaged' or finding.triage_source = 'sarif')
        and (finding.triage_state, finding.triage_reason)
          is distinct from (coalesce(latest.state, 'untriaged'), latest.reason)
      returning finding.id, finding.triage_state, finding.triage_reason, finding.triage_note,
        old.triage_state as old_state, old.triage_reason as old_reason, old.triage_note as old_note
    )
    insert into finding_event (deployment_id, finding_id, batch_id, kind, at, before, after)
    select ${deployment}, id, ${stamp.batch}, 'triaged', ${stamp.at},
      jsonb_build_object('state', old_state, 'reason', old_reason, 'note', old_note),
      jsonb_build_object('state', triage_state, 'reason', triage_reason, 'note', triage_note, 'source', 'report')
    from decided`;
}
