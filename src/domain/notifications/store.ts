import { isAdministrator, principalOf } from '#domain/access/principal.ts';
import { accountIdOf } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { classifyLink } from './rules.ts';
import { Notification } from './shape.ts';

export interface NewNotification {
  deployment: string;
  /** The only recipient; without it all members of the deployment. */
  account?: string;
  isAdminOnly?: boolean;
  severity: Notification['severity'];
  title: string;
  description: string;
  /** A path on this server or a web URL. */
  link?: string;
  linkText?: string;
}

/** Creates an in-app notification in the transaction of its cause. */
export async function notify(tx: Tx, notification: NewNotification): Promise<string> {
  const { link = '', linkText = '', isAdminOnly = false } = notification;
  const kind = classifyLink(link);
  if (kind === 'refused') throw new TypeError('A notification must link to a path on this server or to a web URL.');
  const row = await tx.one(RowId)`
    insert into notification (deployment_id, account_id, is_admin_only, severity, title, description, link,
                              is_external_link, link_text)
    values (${notification.deployment}, ${notification.account ?? null}, ${isAdminOnly}, ${notification.severity},
            ${notification.title},
            ${notification.description}, ${link}, ${kind === 'external'}, ${linkText})
    returning id`;
  return returnedId(row);
}

const columnsFor = (caller: Caller): Sql => sql`
  id, title, description, severity, is_admin_only as "adminOnly", created_at as "createdAt", link,
  is_external_link as "isExternalLink", link_text as "linkText",
  case when exists (
    select from notification_receipt
    where notification_receipt.deployment_id = notification.deployment_id
      and notification_id = notification.id and reader = ${principalOf(caller)})
  then 'STATUS_SEEN' else 'STATUS_DELIVERED' end as status`;

/** A condition on `notification`: the caller is a recipient. */
const isRecipient = (caller: Caller): Sql => sql`
  notification.deployment_id = ${caller.deployment}
  and (account_id is null or account_id = ${accountIdOf(caller)})
  and (not is_admin_only or ${isAdministrator(caller)})`;

/** The notifications of the caller, newest first. */
export const list = (tx: Tx, caller: Caller, { after, limit }: PageWindow): Promise<Notification[]> =>
  tx.all(Notification)`
    select ${columnsFor(caller)} from notification
    where ${isRecipient(caller)} ${after ? sql`and id < ${after[0]}::bigint` : emptySql}
    order by id desc
    limit ${limit + 1}`;

/** How many notifications the caller has not seen, up to a limit. */
export async function countUnseen(tx: Tx, caller: Caller, most: number): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::int as count from (
      select from notification where ${isRecipient(caller)} and not exists (
        select from notification_receipt as receipt where receipt.deployment_id = notification.deployment_id
          and receipt.notification_id = notification.id and receipt.reader = ${principalOf(caller)})
      limit ${most}::int) as unseen`;
  return row?.count ?? 0;
}

/** The notifications of the caller with these ids, newest first. */
export const listByIds = (tx: Tx, caller: Caller, ids: readonly string[]): Promise<Notification[]> =>
  tx.all(Notification)`
    select ${columnsFor(caller)} from notification
    where ${isRecipient(caller)} and id = any(${ids}::bigint[])
    order by id desc`;

export const markSeen = (tx: Tx, caller: Caller, ids: readonly string[]): Promise<number> =>
  tx.run`
    insert into notification_receipt (deployment_id, notification_id, reader)
    select deployment_id, id, ${principalOf(caller)} from notification
    where ${isRecipient(caller)} and id = any(${ids}::bigint[])
    on conflict do nothing`;

/** Deletes notifications after 90 days. */
export const deleteOld = (tx: Tx): Promise<number> =>
  tx.run`delete from notification where created_at < now() - interval '90 days'`;
