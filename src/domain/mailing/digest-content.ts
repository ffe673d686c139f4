import { z } from 'zod';
import { isAdministrator } from '#domain/access/principal.ts';
import { countsText, oneLineOf } from '#domain/automations/people/finding-summary.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { DigestPart } from './mail-settings.ts';
import type { MailLine, MailSection } from './mail-text.ts';

const MAX_LINES = 20;

export interface DigestQuestion {
  caller: Caller;
  /** From which moment on each part is new; parts that are missing are left out. */
  since: Readonly<Partial<Record<DigestPart, string>>>;
  address: string;
}

const ProjectRow = z.object({
  name: z.string(),
  count: z.number(),
  counts: z.record(z.string(), z.number()),
  projects: z.number(),
});

/** New findings that are open, by project, of the projects that the reader sees at this moment. */
async function findingsSection(
  tx: Tx,
  { caller, address }: DigestQuestion,
  since: string,
): Promise<MailSection | undefined> {
  const rows = await tx.all(ProjectRow)`
    with recent as (
      select finding.project_id, finding.severity, count(*)::integer as count from finding
      join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
      where finding.deployment_id = ${caller.deployment} and finding.relevant_since > ${since}::timestamptz
        and finding.status in ('open', 'reviewing', 'fixing', 'provisionally_ignored')
        and project.archived_at is null and ${projectVisibilitySql(caller)}
      group by finding.project_id, finding.severity),
    listed as (
      select project_id, sum(count)::integer as count, max(severity) as worst,
        jsonb_object_agg(severity, count) as counts, (count(*) over ())::integer as projects
      from recent group by project_id)
    select project.name, listed.count, listed.counts, listed.projects from listed
    join project on project.deployment_id = ${caller.deployment} and project.id = listed.project_id
    order by listed.worst desc, listed.count desc, project.name limit ${MAX_LINES}::int`;
  const [first] = rows;
  if (!first) return undefined;
  const more = first.projects - rows.length;
  return {
    heading: 'New findings',
    lines: rows.map(({ name, counts }) => ({ text: oneLineOf(name, 200), detail: countsText(counts) })),
    more: { text: more > 0 ? `${more} more projects` : 'All findings', url: `${address}/findings` },
  };
}

const RequestRow = z.object({ title: z.string(), project: z.string(), requester: z.string(), total: z.number() });

/** Requests for exceptions that wait. */
async function approvalsSection(
  tx: Tx,
  { caller, address }: DigestQuestion,
  since: string,
): Promise<MailSection | undefined> {
  if (!caller.permissions.has('issue:triage')) return undefined;
  const rows = await tx.all(RequestRow)`
    select coalesce(nullif(finding.title, ''), finding.rule) as title, project.name as project,
      request.requester_name as requester, (count(*) over ())::integer as total
    from exception_request as request
    join finding on finding.deployment_id = request.deployment_id and finding.id = request.finding_id
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    where request.deployment_id = ${caller.deployment} and request.state = 'requested'
      and request.created_at > ${since}::timestamptz and request.requester <> ${caller.email}
      and ${projectVisibilitySql(caller)}
    order by request.id limit ${MAX_LINES}::int`;
  const [first] = rows;
  if (!first) return undefined;
  const more = first.total - rows.length;
  return {
    heading: 'Requests that wait for a decision',
    lines: rows.map(({ title, project, requester }): MailLine => {
      return { text: `${oneLineOf(title, 150)} in ${oneLineOf(project, 100)}`, detail: oneLineOf(requester, 100) };
    }),
    more: { text: more > 0 ? `${more} more` : 'Inbox', url: `${address}/inbox` },
  };
}

const NoticeRow = z.object({ title: z.string(), description: z.string(), total: z.number() });

/** Warnings and errors that the reader has not seen in the product. */
async function noticesSection(
  tx: Tx,
  { caller, address }: DigestQuestion,
  since: string,
): Promise<MailSection | undefined> {
  const rows = await tx.all(NoticeRow)`
    select title, description, (count(*) over ())::integer as total from notification
    where deployment_id = ${caller.deployment} and created_at > ${since}::timestamptz
      and severity in ('SEVERITY_WARNING', 'SEVERITY_ERROR')
      and (account_id is null or account_id = ${caller.userId}) and (not is_admin_only or ${isAdministrator(caller)})
      and not exists (select from notification_receipt as receipt
        where receipt.deployment_id = notification.deployment_id and receipt.notification_id = notification.id
          and receipt.reader = ${`account:${caller.userId}`})
    order by id limit ${MAX_LINES}::int`;
  const [first] = rows;
  if (!first) return undefined;
  const more = first.total - rows.length;
  return {
    heading: 'Warnings',
    lines: rows.map(({ title, description }) => ({
      text: oneLineOf(title, 200),
      detail: description === '' ? undefined : oneLineOf(description, 500),
    })),
    ...(more > 0 && { more: { text: `${more} more`, url: address } }),
  };
}

const SECTIONS: Record<DigestPart, typeof findingsSection> = {
  findings: findingsSection,
  approvals: approvalsSection,
  notices: noticesSection,
};

/** The parts of a digest that have news, as the reader may see them now. */
export async function digestSections(tx: Tx, question: DigestQuestion): Promise<MailSection[]> {
  const sections: MailSection[] = [];
  for (const [part, since] of Object.entries(question.since) as [DigestPart, string][]) {
    const section = await SECTIONS[part](tx, question, since);
    if (section) sections.push(section);
  }
  return sections;
}
