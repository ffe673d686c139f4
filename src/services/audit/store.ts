import { z } from 'zod';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

export interface AuditFilter {
  actor?: string | undefined;
  operation?: string | undefined;
  outcome?: string | undefined;
  objectKind?: string | undefined;
  objectId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

const Row = z.object({
  id: z.string(),
  at: z.string(),
  actor_kind: z.enum(['user', 'token', 'nobody']),
  actor_id: z.string(),
  actor_name: z.string(),
  operation: z.string(),
  result: z.string(),
  object: z.string(),
  before_digest: z.string().optional(),
  after_digest: z.string().optional(),
  request_id: z.string(),
  address: z.string(),
  position: z.coerce.number().optional(),
  hash: z.string().optional(),
});
export type AuditRow = z.output<typeof Row>;

/** Matches an account by id or e-mail address, or a token; an unknown address matches no record. */
function isByActor(deployment: string, actor: string): Sql {
  if (/^token:\d+$/.test(actor)) return sql`record.credential = ${actor}`;
  if (!actor.includes('@')) return sql`record.actor = ${actor}`;
  return sql`record.actor = (
    select account.id::text from account join membership on membership.account_id = account.id
    where membership.deployment_id = ${deployment} and account.email_key = ${actor.trim().toLowerCase()})`;
}

function isOutcome(outcome: string): Sql {
  if (outcome === 'success') return sql`record.result like '2%'`;
  return outcome === 'refused' ? sql`record.result not like '2%'` : sql`record.result = ${outcome}`;
}

/** Objects are `kind/id`, so that a kind is an index range. */
function isOfObject({ objectKind: kind, objectId: id }: AuditFilter): Sql[] {
  if (kind !== undefined && id !== undefined) return [sql`record.object collate "C" = ${`${kind}/${id}`}`];
  return [
    ...(kind === undefined
      ? []
      : [sql`record.object collate "C" >= ${`${kind}/`} and record.object collate "C" < ${`${kind}0`}`]),
    ...(id === undefined ? [] : [sql`split_part(record.object, '/', 2) = ${id}`]),
  ];
}

const conditionsOf = (deployment: string, filter: AuditFilter): Sql =>
  join(
    [
      sql`record.deployment_id = ${deployment}`,
      ...(filter.actor === undefined ? [] : [isByActor(deployment, filter.actor)]),
      ...(filter.operation === undefined ? [] : [sql`record.operation = ${filter.operation}`]),
      ...(filter.outcome === undefined ? [] : [isOutcome(filter.outcome)]),
      ...isOfObject(filter),
      ...(filter.since === undefined ? [] : [sql`record.at >= ${filter.since}`]),
      ...(filter.until === undefined ? [] : [sql`record.at < ${filter.until}`]),
    ],
    sql` and `,
  );

/** Records, newest first. Actors and positions in the chain are joined only for the page. */
export const list = (tx: Tx, deployment: string, { filter, window }: { filter: AuditFilter; window: PageWindow }) => {
  const [at, id] = window.after ?? [];
  const isAfter =
    at === undefined ? sql`true` : sql`(record.at, record.id) < (${at}::timestamptz, ${id ?? '0'}::bigint)`;
  return tx.all(Row)`
    select record.id, record.at, record.actor_kind, record.operation, record.result, record.object,
      record.before_digest, record.after_digest, record.request_id, record.address,
      coalesce(nullif(record.actor, ''), token.id::text, '') as actor_id,
      coalesce(account.name, token.name, '') as actor_name, seal.position, encode(seal.hash, 'hex') as hash
    from (
      select * from audit_record as record
      where ${conditionsOf(deployment, filter)} and ${isAfter}
      order by record.at desc, record.id desc limit ${window.limit + 1}::int) as record
    left join audit_seal as seal on seal.deployment_id = record.deployment_id and seal.record_id = record.id
    left join api_token as token on token.deployment_id = record.deployment_id and record.actor_kind = 'token'
      and token.id = nullif(substring(record.credential from '^token:(\\d+)$'), '')::bigint
    left join account on record.actor_kind = 'user' and account.id = nullif(record.actor, '')::bigint
    order by record.at desc, record.id desc`;
};
