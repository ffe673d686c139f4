import { z } from 'zod';
import { sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { HistoryEntry } from './shape.ts';
import { reasonName } from './store.ts';

const MOST_ENTRIES = 100;

/** What an event is called where people read it. */
const title = sql`case event.kind
  when 'triaged' then case when event.after->>'state' is distinct from event.before->>'state'
      or event.after->>'reason' is distinct from event.before->>'reason'
    then case event.after->>'state' when 'untriaged' then 'Opened again' when 'reopened' then 'Reopened'
      when 'reviewing' then 'Reviewing' when 'fixing' then 'To fix' when 'ignored' then 'Ignored'
      when 'provisionally_ignored' then 'Provisionally ignored' else 'Triaged' end else 'Note changed' end
  when 'fixed' then 'Fixed' when 'removed' then 'Removed' when 'reopened' then 'Found again'
  when 'redetected' then 'Found again' when 'moved' then 'Moved' when 'held' then 'Held open'
  else initcap(event.kind) end`;

const events = sql`
  select event.finding_id, event.at as date, ${title} as title,
    coalesce(${reasonName(sql`event.after->>'reason'`)}, '') as reason, coalesce(event.after->>'note', '') as note,
    batch.actor, case event.kind when 'triaged' then 'HISTORY_TYPE_TRIAGE' else 'HISTORY_TYPE_STATUS' end as type,
    null::text as source, event.id as rank
  from finding_event as event join finding_batch as batch on batch.deployment_id = event.deployment_id
    and batch.id = event.batch_id
  where event.deployment_id = (select current_deployment()) and event.finding_id = wanted.id`;

const openings = sql`
  select finding.id, finding.first_seen_at, 'First detected', '', '', coalesce((select batch.actor
      from finding_batch as batch where batch.deployment_id = scan.deployment_id and batch.scan_id = scan.id
      order by batch.id limit 1), scan.started_by), 'HISTORY_TYPE_STATUS', null, 0
  from finding join scan on scan.deployment_id = finding.deployment_id and scan.id = finding.first_scan_id
  where finding.deployment_id = (select current_deployment()) and finding.id = wanted.id`;

const source = sql`'FINDING_EXCEPTION_REQUEST_SOURCE_' || case asked.source when 'platform'
  then 'SERVICE_APPSEC_PLATFORM' when 'comment' then 'SCM_COMMENT' else 'API' end`;

const requests = sql`
  select asked.finding_id, moment.at, moment.title, coalesce(${reasonName(sql`asked.reason`)}, ''), asked.note,
    moment.actor, 'HISTORY_TYPE_EXCEPTION_REQUEST_' || moment.type, ${source}, asked.id
  from exception_request as asked cross join lateral (values
    (asked.created_at, 'Asked to be ignored', asked.requester, 'CREATED'),
    (asked.reviewed_at, 'Answered: ' || asked.state, asked.reviewer, upper(asked.state)))
    as moment (at, title, actor, type)
  where asked.deployment_id = (select current_deployment()) and asked.finding_id = wanted.id and moment.at is not null`;

const Row = z.object({ finding_id: z.string(), entry: HistoryEntry });

/** What happened to each of these findings, newest first. */
export async function historyOf(
  tx: Tx,
  findings: readonly string[],
): Promise<Map<string, z.output<typeof HistoryEntry>[]>> {
  const rows = await tx.all(Row)`
    select entry.finding_id, jsonb_strip_nulls(jsonb_build_object(
      'date', to_char(entry.date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'title', entry.title,
      'triageReason', entry.reason, 'note', entry.note, 'actor', coalesce(entry.actor, ''), 'historyType', entry.type,
      'exceptionRequestDetails', case when entry.source is not null
        then jsonb_build_object('actionSource', entry.source) end)) as entry
    from unnest(${findings}::bigint[]) as wanted (id)
    cross join lateral (
      select * from (${events} union all ${openings} union all ${requests}) as happened
      order by date desc, rank desc limit ${MOST_ENTRIES}::int) as entry
    order by entry.finding_id, entry.date desc, entry.rank desc`;
  const histories = new Map<string, z.output<typeof HistoryEntry>[]>();
  for (const { finding_id: finding, entry } of rows) histories.set(finding, [...(histories.get(finding) ?? []), entry]);
  return histories;
}

/** How often people decided about each of these findings, and on which refs it was ever seen. */
export async function extrasOf(
  tx: Tx,
  findings: readonly string[],
): Promise<Map<string, { triageCount: number; refs: string[] }>> {
  const rows = await tx.rows`
    select wanted.id, (select count(*)::integer from finding_event as event
        where event.deployment_id = (select current_deployment()) and event.finding_id = wanted.id
          and event.kind = 'triaged') as triages,
      array(select distinct project_branch.ref from detection
        join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
        join project_branch on project_branch.deployment_id = analysis.deployment_id
          and project_branch.id = analysis.branch_id
        where detection.deployment_id = (select current_deployment()) and detection.finding_id = wanted.id
        order by 1) as refs
    from unnest(${findings}::bigint[]) as wanted (id)`;
  return new Map(
    rows.map((row) => [String(row['id']), { triageCount: Number(row['triages']), refs: row['refs'] as string[] }]),
  );
}
