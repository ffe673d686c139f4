import { isAdministrator, principalOf } from '#domain/access/principal.ts';
import { accountIdOf } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { classifyLink } from './rules.ts';
import { Notification } from './shape.ts';

export interface NewNotification {
  deployment: string;
  /** The one person who is told; without it everybody of the deployment. */
  account?: string;
  isAdminOnly?: boolean;
  severity: Notification['severity'];
  title: string;
  description: string;
  /** A path of this server or a web address. */
  link?: string;
  linkText?: string;
}

/** Tells people something inside of the product, in the transaction of what they are told. */
export async function notify(tx: Tx, news: NewNotification): Promise<string> {
  const { link = '', linkText = '', isAdminOnly = false } = news;
  const kind = classifyLink(link);
  if (kind === 'refused') throw new TypeError('A notification links to a path of this server or to a web address.');
  const [row] = await tx.rows`
    insert into notification (deployment_id, account_id, is_admin_only, severity, title, description, link,
                              is_external_link, link_text)
    values (${news.deployment}, ${news.account ?? null}, ${isAdminOnly}, ${news.severity}, ${news.title},
            ${news.description}, ${link}, ${kind === 'external'}, ${linkText})
    returning id`;
  return String(row?.['id']);
}

const columnsFor = (caller: Caller): Sql => sql`
  id, title, description, severity, is_admin_only as "adminOnly", created_at as "createdAt", link,
  is_external_link as "isExternalLink", link_text as "linkText",
  case when exists (
    select from notification_receipt
    where notification_receipt.deployment_id = notification.deployment_id
      and notification_id = notification.id and reader = ${principalOf(caller)})
  then 'STATUS_SEEN' else 'STATUS_DELIVERED' end as status`;

/** A condition on `notification`: it is meant for the caller. */
const isMeantFor = (caller: Caller): Sql => sql`
  notification.deployment_id = ${caller.deployment}
  and (account_id is null or account_id = ${accountIdOf(caller)}) and (not is_admin_only or ${isAdministrator(caller)})`;

/** What the caller is told, the newest first. */
export const list = (tx: Tx, caller: Caller, { after, limit }: PageWindow): Promise<Notification[]> =>
  tx.all(Notification)`
    select ${columnsFor(caller)} from notification
    where ${isMeantFor(caller)} ${after ? sql`and id < ${after[0]}::bigint` : emptySql}
    order by id desc
    limit ${limit + 1}`;

/** Those of the given ids that are meant for the caller, the newest first. */
export const listByIds = (tx: Tx, caller: Caller, ids: readonly string[]): Promise<Notification[]> =>
  tx.all(Notification)`
    select ${columnsFor(caller)} from notification
    where ${isMeantFor(caller)} and id = any(${ids}::bigint[])
    order by id desc`;

export const markSeen = (tx: Tx, caller: Caller, ids: readonly string[]): Promise<number> =>
  tx.run`
    insert into notification_receipt (deployment_id, notification_id, reader)
    select deployment_id, id, ${principalOf(caller)} from notification
    where ${isMeantFor(caller)} and id = any(${ids}::bigint[])
    on conflict do nothing`;

/** Old news are no news. */
export const deleteOld = (tx: Tx): Promise<number> =>
  tx.run`delete from notification where created_at < now() - interval '90 days'`;
