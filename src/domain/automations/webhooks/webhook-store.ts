import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { slugOf } from '#domain/deployments/rules.ts';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type DestinationRef, insertDestination } from '../deliveries/destination-store.ts';
import { NotificationWebhook } from './webhook-shape.ts';

export const WEBHOOK_KIND = 'webhook';
/** An incoming webhook of a chat, which gets messages for people. */
export const SLACK_WEBHOOK_KIND = 'slack_webhook';

const StoredWebhook = NotificationWebhook.extend({ version: count() });
export type StoredWebhook = z.output<typeof StoredWebhook>;

const columns = sql`destination.id, destination.name, webhook.url, webhook.sealed_secret is not null as "hasSecret",
  webhook.uses_network_broker as "useNetworkBroker", webhook.sends_scan_events as "sendScanCompletion",
  webhook.previous_secret_until as "previousSecretUntil", webhook.version`;

const source = sql`notification_webhook as webhook join destination
  on destination.deployment_id = webhook.deployment_id and destination.id = webhook.destination_id`;

/** The webhooks of NotificationWebhooksService; those of rules are shown with their rules. */
export const list = (tx: Tx, deployment: string): Promise<StoredWebhook[]> =>
  tx.all(StoredWebhook)`
    select ${columns} from ${source}
    where webhook.deployment_id = ${deployment} and webhook.rule_id is null order by destination.id`;

export const find = (tx: Tx, { deployment, id }: DestinationRef): Promise<StoredWebhook | undefined> =>
  tx.one(StoredWebhook)`
    select ${columns} from ${source}
    where webhook.deployment_id = ${deployment} and webhook.destination_id = ${id} and webhook.rule_id is null`;

export const findForUpdate = (tx: Tx, { deployment, id }: DestinationRef): Promise<StoredWebhook | undefined> =>
  tx.one(StoredWebhook)`
    select ${columns} from ${source}
    where webhook.deployment_id = ${deployment} and webhook.destination_id = ${id} and webhook.rule_id is null
    for no key update of webhook`;

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*) as count from notification_webhook where deployment_id = ${deployment} and rule_id is null`;
  return row?.count ?? 0;
}

export interface NewWebhook {
  deployment: string;
  name: string;
  url: string;
  secret: Secret | undefined;
  useNetworkBroker: boolean;
  sendScanCompletion: boolean;
  /** The notification rule that it belongs to. */
  rule?: string;
  kind?: typeof WEBHOOK_KIND | typeof SLACK_WEBHOOK_KIND;
}

const locationOf = ({ deployment, id }: DestinationRef) => ({
  deployment,
  table: 'notification_webhook',
  column: 'sealed_secret',
  row: id,
});

/** Inserts a webhook; the secret is bound to the row, so it is set once the row has an id. */
export async function insert(tx: Tx, keys: KeyRing, webhook: NewWebhook): Promise<string> {
  const { deployment, name, url, kind = WEBHOOK_KIND } = webhook;
  const id = await insertDestination(tx, { deployment, kind, key: randomUUID(), name });
  await tx.run`
    insert into notification_webhook (deployment_id, destination_id, url, uses_network_broker, sends_scan_events,
      rule_id)
    values (${deployment}, ${id}, ${url}, ${webhook.useNetworkBroker}, ${webhook.sendScanCompletion},
      ${webhook.rule ?? null})`;
  if (webhook.secret) await setSecret(tx, keys, { deployment, id }, webhook.secret);
  return id;
}

export interface WebhookChange {
  name: string;
  url: string;
  useNetworkBroker: boolean;
  sendScanCompletion: boolean;
}

export async function update(tx: Tx, { deployment, id }: DestinationRef, change: WebhookChange): Promise<void> {
  await tx.run`update destination set name = ${change.name} where deployment_id = ${deployment} and id = ${id}`;
  await tx.run`
    update notification_webhook set url = ${change.url}, uses_network_broker = ${change.useNetworkBroker},
      sends_scan_events = ${change.sendScanCompletion}, updated_at = now(), version = version + 1
    where deployment_id = ${deployment} and destination_id = ${id}`;
}

/** Replaces the secret at once. */
export async function setSecret(tx: Tx, keys: KeyRing, ref: DestinationRef, secret: Secret): Promise<void> {
  const sealed = await sealSecret(tx, keys, locationOf(ref), secret);
  await tx.run`
    update notification_webhook set sealed_secret = ${sealed}, sealed_previous_secret = null,
      previous_secret_until = null
    where deployment_id = ${ref.deployment} and destination_id = ${ref.id}`;
}

export const clearSecret = (tx: Tx, { deployment, id }: DestinationRef): Promise<number> =>
  tx.run`
    update notification_webhook set sealed_secret = null, sealed_previous_secret = null, previous_secret_until = null
    where deployment_id = ${deployment} and destination_id = ${id}`;

/** Adds a secret; the old one signs too until its time ends. */
export async function rotateSecret(
  tx: Tx,
  keys: KeyRing,
  ref: DestinationRef,
  { secret, until }: { secret: Secret; until: Date },
): Promise<void> {
  const sealed = await sealSecret(tx, keys, locationOf(ref), secret);
  await tx.run`
    update notification_webhook set sealed_previous_secret = sealed_secret,
      previous_secret_until = case when sealed_secret is not null then ${until}::timestamptz end,
      sealed_secret = ${sealed}, updated_at = now(), version = version + 1
    where deployment_id = ${ref.deployment} and destination_id = ${ref.id}`;
}

/** Ends a rotation: the old secret is forgotten. */
export const endRotation = (tx: Tx, { deployment, id }: DestinationRef): Promise<number> =>
  tx.run`
    update notification_webhook set sealed_previous_secret = null, previous_secret_until = null,
      version = version + 1
    where deployment_id = ${deployment} and destination_id = ${id}`;

const Target = z.object({
  url: z.string(),
  sealed: z.string().optional(),
  sealed_previous: z.string().optional(),
});

/** Where a webhook sends, and the secrets that sign: the current one first. */
export interface WebhookTarget {
  url: string;
  secrets: Secret[];
}

export async function findTarget(
  tx: Tx,
  keys: KeyRing,
  ref: DestinationRef,
  now: Date,
): Promise<WebhookTarget | undefined> {
  const row = await tx.one(Target)`
    select url, sealed_secret as sealed,
      case when previous_secret_until > ${now} then sealed_previous_secret end as sealed_previous
    from notification_webhook where deployment_id = ${ref.deployment} and destination_id = ${ref.id}`;
  if (!row) return undefined;
  const sealed = [row.sealed, row.sealed_previous].filter((text) => text !== undefined);
  return {
    url: row.url,
    secrets: await Promise.all(sealed.map((text) => openSecret(tx, keys, locationOf(ref), text))),
  };
}

const Named = z.object({ id: z.string(), name: z.string() });

/** The webhook that an action names by id, by name, or by the slug of its name. */
export async function findByConfig(
  tx: Tx,
  deployment: string,
  { webhook_id: id = '', webhook_name: name = '', webhook_slug: slug = '' }: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const rows = await tx.all(Named)`
    select destination.id, destination.name from ${source}
    where webhook.deployment_id = ${deployment} and (webhook.rule_id is null or destination.id::text = ${id})
    order by destination.id`;
  return rows.find(
    (row) => row.id === id || (name !== '' && row.name === name) || (slug !== '' && slugOf(row.name) === slug),
  )?.id;
}

/** The webhooks that get an event for every scan. */
export async function listForScanEvents(tx: Tx, deployment: string): Promise<string[]> {
  const rows = await tx.all(Named)`
    select destination.id, destination.name from ${source}
    left join automation on automation.deployment_id = webhook.deployment_id and automation.id = webhook.rule_id
    where webhook.deployment_id = ${deployment} and webhook.sends_scan_events
      and (webhook.rule_id is null or automation.deleted_at is null and automation.mode = 'live')
    order by destination.id`;
  return rows.map(({ id }) => id);
}
