import { jsonArray, jsonObject, quotedJson, text, timestampText, unescaped } from '#kernel/db/query/json-sql.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';

/** SQL about the ticket of a finding. Each needs `finding`. */

const linkedTicket = sql`ticket_finding as linked join ticket
  on ticket.deployment_id = linked.deployment_id and ticket.id = linked.ticket_id and ticket.url is not null
  where linked.deployment_id = finding.deployment_id and linked.finding_id = finding.id`;

/** The findings of the ticket in this project: whoever sees this finding sees those. */
const linkedIds = (quote: Sql) => sql`'[' || (
  select string_agg(${quote} || other.finding_id || ${quote}, ',' order by other.finding_id)
  from ticket_finding as other join finding as peer
    on peer.deployment_id = other.deployment_id and peer.id = other.finding_id and peer.project_id = finding.project_id
  where other.deployment_id = ticket.deployment_id and other.ticket_id = ticket.id) || ']'`;

/** The ticket of a finding, or null. */
export const externalTicketJson: Sql = sql`(select ${jsonObject({
  url: text(sql`ticket.url`),
  externalSlug: text(sql`ticket.slug`),
  id: unescaped(sql`ticket.id`),
  linkedIssueIds: { value: linkedIds(sql`'"'`), kind: 'json' },
})} from ${linkedTicket})`;

/** The same in v1, where ids are numbers. */
export const v1TicketJson: Sql = sql`(select ${jsonObject({
  external_slug: text(sql`ticket.slug`),
  id: { value: sql`ticket.id::text`, kind: 'json' },
  linked_issue_ids: { value: linkedIds(sql`''`), kind: 'json' },
  url: text(sql`ticket.url`),
})} from ${linkedTicket})`;

const attempt = jsonObject({
  attemptedAt: { value: quotedJson(timestampText(sql`attempt.at`)), kind: 'json' },
  responseMessage: text(sql`attempt.message`),
});

/** Why no ticket could be opened, newest first. */
export const ticketAttemptsJson: Sql = sql`(select ${jsonArray(attempt, sql`attempt.id desc`)} from (
  select failed.id, failed.at, failed.message from ticket_attempt as failed
  where failed.deployment_id = finding.deployment_id and failed.finding_id = finding.id
  order by failed.id desc limit 10) as attempt)`;
