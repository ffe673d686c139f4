import { z } from 'zod';
import { principalOf } from '#domain/access/principal.ts';
import { notify } from '#domain/notifications/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount, RowId } from '#kernel/db/query/row-schemas.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { IssueComment } from './contract.ts';

const StoredComment = IssueComment.extend({ issueId: z.string() });
type StoredComment = z.output<typeof StoredComment>;

const columnsFor = (caller: Caller) => sql`
  comment.id, coalesce(account.name, comment.author_name) as author, comment.author = ${principalOf(caller)} as "isOwn",
  comment.text, comment.created_at as "createdAt", comment.edited_at as "editedAt", comment.finding_id as "issueId"`;

/** People are shown under their present name, as long as they are members. */
const withAuthor = sql`
  left join account on comment.author like 'account:%' and account.id = substring(comment.author from 9)::bigint`;

export const listComments = (
  tx: Tx,
  caller: Caller,
  { issue, window: { after, limit } }: { issue: string; window: PageWindow },
): Promise<StoredComment[]> =>
  tx.all(StoredComment)`
    select ${columnsFor(caller)} from finding_comment as comment ${withAuthor}
    where comment.deployment_id = ${caller.deployment} and comment.finding_id = ${issue}
      ${after ? sql`and comment.id > ${after[0]}::bigint` : emptySql}
    order by comment.id limit ${limit + 1}`;

export const findComment = (tx: Tx, caller: Caller, id: string): Promise<StoredComment | undefined> =>
  tx.one(StoredComment)`
    select ${columnsFor(caller)} from finding_comment as comment ${withAuthor}
    where comment.deployment_id = ${caller.deployment} and comment.id = ${id}`;

export async function countComments(tx: Tx, deployment: string, issue: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::int as count from finding_comment where deployment_id = ${deployment} and finding_id = ${issue}`;
  return row?.count ?? 0;
}

export interface NewComment {
  issue: string;
  text: string;
  at: Date;
}

export async function insertComment(tx: Tx, caller: Caller, { issue, text, at }: NewComment): Promise<string> {
  const row = await tx.one(RowId)`
    insert into finding_comment (deployment_id, finding_id, author, author_name, text, created_at)
    values (${caller.deployment}, ${issue}, ${principalOf(caller)}, ${caller.name}, ${text}, ${at}) returning id`;
  if (!row) throw new Error('The comment was not stored.');
  return row.id;
}

/** True if the caller wrote it; others change nothing. */
export const updateComment = async (
  tx: Tx,
  caller: Caller,
  { id, text, at }: { id: string; text: string; at: Date },
): Promise<boolean> =>
  (await tx.run`
    update finding_comment set text = ${text}, edited_at = ${at}
    where deployment_id = ${caller.deployment} and id = ${id} and author = ${principalOf(caller)}`) > 0;

export const deleteComment = async (tx: Tx, caller: Caller, id: string): Promise<boolean> =>
  (await tx.run`
    delete from finding_comment
    where deployment_id = ${caller.deployment} and id = ${id} and author = ${principalOf(caller)}`) > 0;

const Mentioned = z.object({ id: z.string(), slug: z.string() });

/** Notifies members of a mention, except the author. What the issue is about is not said: they may not see it. */
export async function notifyMentioned(
  tx: Tx,
  caller: Caller,
  { issue, addresses }: { issue: string; addresses: readonly string[] },
): Promise<void> {
  if (addresses.length === 0) return;
  const people = await tx.all(Mentioned)`
    select account.id, deployment.slug from membership
    join account on account.id = membership.account_id join deployment on deployment.id = membership.deployment_id
    where membership.deployment_id = ${caller.deployment} and account.email_key = any(${addresses}::text[])
      and account.disabled_at is null and account.id <> ${caller.kind === 'user' ? caller.userId : '0'}::bigint
    order by account.id`;
  for (const { id, slug } of people)
    await notify(tx, {
      deployment: caller.deployment,
      account: id,
      severity: 'SEVERITY_INFO',
      title: `${caller.name} mentioned you`,
      description: `In a comment on ISS-${issue}.`,
      link: `/o/${slug}/findings/${issue}?tab=history`,
      linkText: `ISS-${issue}`,
    });
}
