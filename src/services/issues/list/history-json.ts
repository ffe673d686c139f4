import { jsonArray, jsonObject, optional, text, timestampText, unescaped } from '#kernel/db/query/json-sql.ts';
import { sql } from '#kernel/db/query/sql.ts';
import { exceptionSourceName, triageReasonName } from './enum-names.ts';

const MAX_ENTRIES = 100;

/** The title of an event in the activity history. */
const title = sql`case event.kind
  when 'triaged' then case when event.after->>'state' is distinct from event.before->>'state'
      or event.after->>'reason' is distinct from event.before->>'reason'
    then case event.after->>'state' when 'untriaged' then 'Opened again' when 'reopened' then 'Reopened'
      when 'reviewing' then 'Reviewing' when 'fixing' then 'To fix' when 'ignored' then 'Ignored'
      when 'provisionally_ignored' then 'Provisionally ignored' else 'Triaged' end
    when event.after->>'assignee' is distinct from event.before->>'assignee' then coalesce('Assigned to ' || (
      select person.name from account as person where person.id = (event.after->>'assignee')::bigint),
      case when event.after->>'assignee' is null then 'Assigned to nobody' else 'Assigned to a former member' end)
    else 'Note changed' end
  when 'fixed' then 'Fixed' when 'removed' then 'Removed' when 'reopened' then 'Found again'
  when 'redetected' then 'Found again' when 'moved' then 'Moved' when 'held' then 'Held open'
  when 'changed' then 'Changed by a scan' when 'landed' then 'Reached the primary branch'
  when 'kept' then 'Closing rejected' else initcap(event.kind) end`;

const events = sql`
  select event.at as date, ${title} as title,
    coalesce(${triageReasonName(sql`event.after->>'reason'`)}, '') as reason,
    coalesce(event.after->>'note', '') as note,
    batch.actor, case event.kind when 'triaged' then 'HISTORY_TYPE_TRIAGE' else 'HISTORY_TYPE_STATUS' end as type,
    null::text as source, event.id as rank
  from finding_event as event join finding_batch as batch on batch.deployment_id = event.deployment_id
    and batch.id = event.batch_id
  where event.deployment_id = (select current_deployment()) and event.finding_id = finding.id`;

const openings = sql`
  select finding.first_seen_at, 'First detected', '', '', coalesce((select batch.actor
      from finding_batch as batch where batch.deployment_id = scan.deployment_id and batch.scan_id = scan.id
      order by batch.id limit 1), scan.started_by), 'HISTORY_TYPE_STATUS', null, 0
  from scan where scan.deployment_id = finding.deployment_id and scan.id = finding.first_scan_id`;

const requests = sql`
  select moment.at, moment.title, coalesce(${triageReasonName(sql`request.reason`)}, ''), request.note,
    moment.actor, 'HISTORY_TYPE_EXCEPTION_REQUEST_' || moment.type,
    ${exceptionSourceName(sql`request.source`)}, request.id
  from exception_request as request cross join lateral (values
    (request.created_at, 'Asked to be ignored', request.requester, 'CREATED'),
    (request.reviewed_at, 'Answered: ' || request.state, request.reviewer, upper(request.state)))
    as moment (at, title, actor, type)
  where request.deployment_id = (select current_deployment()) and request.finding_id = finding.id
    and moment.at is not null`;

const comments = sql`
  select comment.created_at, 'Commented', '', comment.text, coalesce(account.email, comment.author_name),
    'HISTORY_TYPE_STATUS', null, comment.id
  from finding_comment as comment
  left join account on comment.author like 'account:%'
    and account.id = substring(comment.author from 9)::bigint
  where comment.deployment_id = (select current_deployment()) and comment.finding_id = finding.id`;

const entry = jsonObject({
  date: unescaped(timestampText(sql`entry.date`)),
  title: text(sql`entry.title`),
  triageReason: unescaped(sql`entry.reason`),
  note: text(sql`entry.note`),
  actor: text(sql`entry.actor`),
  historyType: unescaped(sql`entry.type`),
  exceptionRequestDetails: optional(sql`case when entry.source is not null
    then ${jsonObject({ actionSource: unescaped(sql`entry.source`) })} end`),
});

/** The activity history of a finding as JSON text, newest first. The query must provide `finding`. */
export const issueHistoryJson = sql`(
  select ${jsonArray(entry, sql`entry.date desc, entry.rank desc`)} from (
    select * from (${events} union all ${openings} union all ${requests} union all ${comments}) as happened
    order by date desc, rank desc limit ${MAX_ENTRIES}::int) as entry)`;
