import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type DestinationRef, insertDestination } from '#domain/automations/deliveries/destination-store.ts';
import { numberedSlug, slugOf } from '#domain/deployments/rules.ts';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { AutomationStates, FieldMapping, type TicketingInstance } from './ticketing-shape.ts';
import type { TrackerSettings } from './trackers/all-trackers.ts';
import type { TrackerFieldKind } from './trackers/tracker.ts';
import { TRACKER_KINDS } from './trackers/tracker-shape.ts';

export const TRACKER_DESTINATION = 'tracker';

const StoredInstance = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(TRACKER_KINDS),
  slug: z.string(),
  site_url: z.string(),
  account: z.string(),
  tracker_account: z.string(),
  tracker_project: z.string(),
  issue_type: z.string(),
  fields: FieldMapping,
  field_kinds: z.record(z.string(), z.string()),
  automation_states: AutomationStates,
  fixed_transition: z.string(),
  is_auth_revoked: z.boolean(),
  has_token: z.boolean(),
  version: count(),
});
export type StoredInstance = z.output<typeof StoredInstance>;

const columns = sql`instance.destination_id as id, destination.name, instance.kind, instance.slug, instance.site_url,
  instance.account, instance.tracker_account, instance.tracker_project, instance.issue_type, instance.fields,
  instance.field_kinds, instance.automation_states, instance.fixed_transition, instance.is_auth_revoked,
  instance.sealed_token is not null as has_token, instance.version`;
const source = sql`ticketing_instance as instance join destination
  on destination.deployment_id = instance.deployment_id and destination.id = instance.destination_id`;

export const listInstances = (tx: Tx, deployment: string): Promise<StoredInstance[]> =>
  tx.all(StoredInstance)`
    select ${columns} from ${source} where instance.deployment_id = ${deployment} order by instance.destination_id`;

export const findInstance = (tx: Tx, { deployment, id }: DestinationRef): Promise<StoredInstance | undefined> =>
  tx.one(StoredInstance)`
    select ${columns} from ${source}
    where instance.deployment_id = ${deployment} and instance.destination_id = ${id}`;

export const lockInstance = (tx: Tx, { deployment, id }: DestinationRef): Promise<StoredInstance | undefined> =>
  tx.one(StoredInstance)`
    select ${columns} from ${source}
    where instance.deployment_id = ${deployment} and instance.destination_id = ${id}
    for no key update of instance`;

/** What people see of an instance. */
export function shownInstance(stored: StoredInstance): TicketingInstance {
  const { hostname } = new URL(stored.site_url);
  const isAtlassian = hostname.endsWith('.atlassian.net');
  return {
    id: stored.id as TicketingInstance['id'],
    isConfigured: stored.has_token,
    isAuthRevoked: stored.is_auth_revoked,
    instanceType: stored.kind,
    subdomain: isAtlassian ? (hostname.split('.')[0] ?? '') : hostname,
    projectId: stored.tracker_project,
    issueTypeId: stored.issue_type,
    fields: stored.fields,
    automationStates: stored.automation_states,
    subtaskIssueTypeId: '',
    fixedTransitionState: { jiraTransitionId: stored.fixed_transition, aggregateState: 'fixed' },
    name: stored.name,
    slug: stored.slug,
    siteUrl: stored.site_url,
    account: stored.account,
  };
}

export interface InstanceSettings {
  name: string;
  kind: StoredInstance['kind'];
  siteUrl: string;
  account: string;
  trackerAccount: string;
  trackerProject: string;
  issueType: string;
  fields: FieldMapping;
  fieldKinds: Record<string, TrackerFieldKind>;
  automationStates: AutomationStates;
  fixedTransition: string;
}

const locationOf = ({ deployment, id }: DestinationRef) => ({
  deployment,
  table: 'ticketing_instance',
  column: 'sealed_token',
  row: id,
});

const SlugRow = z.object({ slug: z.string() });

async function freeSlug(tx: Tx, deployment: string, name: string): Promise<string> {
  const rows = await tx.all(SlugRow)`select slug from ticketing_instance where deployment_id = ${deployment}`;
  const taken = new Set(rows.map(({ slug }) => slug));
  let number = 1;
  while (taken.has(numberedSlug(slugOf(name), number))) number += 1;
  return numberedSlug(slugOf(name), number);
}

/** Inserts an instance. The caller has locked the number of instances. */
export async function insertInstance(tx: Tx, deployment: string, settings: InstanceSettings): Promise<DestinationRef> {
  const { name, kind } = settings;
  const id = await insertDestination(tx, { deployment, kind: TRACKER_DESTINATION, key: randomUUID(), name });
  const slug = await freeSlug(tx, deployment, name);
  await tx.run`
    insert into ticketing_instance (deployment_id, destination_id, kind, slug, site_url, account, tracker_account,
      tracker_project, issue_type, fields, field_kinds, automation_states, fixed_transition)
    values (${deployment}, ${id}, ${kind}, ${slug}, ${settings.siteUrl}, ${settings.account},
      ${settings.trackerAccount}, ${settings.trackerProject}, ${settings.issueType},
      ${JSON.stringify(settings.fields)}::jsonb, ${JSON.stringify(settings.fieldKinds)}::jsonb,
      ${JSON.stringify(settings.automationStates)}::jsonb, ${settings.fixedTransition})`;
  return { deployment, id };
}

export async function updateInstance(tx: Tx, ref: DestinationRef, settings: InstanceSettings): Promise<void> {
  const { deployment, id } = ref;
  await tx.run`update destination set name = ${settings.name} where deployment_id = ${deployment} and id = ${id}`;
  await tx.run`
    update ticketing_instance set kind = ${settings.kind}, site_url = ${settings.siteUrl},
      account = ${settings.account}, tracker_account = ${settings.trackerAccount},
      tracker_project = ${settings.trackerProject}, issue_type = ${settings.issueType},
      fields = ${JSON.stringify(settings.fields)}::jsonb, field_kinds = ${JSON.stringify(settings.fieldKinds)}::jsonb,
      automation_states = ${JSON.stringify(settings.automationStates)}::jsonb,
      fixed_transition = ${settings.fixedTransition}, is_auth_revoked = false, updated_at = now(),
      version = version + 1
    where deployment_id = ${deployment} and destination_id = ${id}`;
}

export async function setToken(tx: Tx, keys: KeyRing, ref: DestinationRef, token: Secret): Promise<void> {
  const sealed = await sealSecret(tx, keys, locationOf(ref), token);
  await tx.run`
    update ticketing_instance set sealed_token = ${sealed}
    where deployment_id = ${ref.deployment} and destination_id = ${ref.id}`;
}

/** Marks that the tracker does not accept the token any more; true if that is news. */
export const markRevoked = async (tx: Tx, { deployment, id }: DestinationRef): Promise<boolean> =>
  (await tx.run`
    update ticketing_instance set is_auth_revoked = true
    where deployment_id = ${deployment} and destination_id = ${id} and not is_auth_revoked`) === 1;

const Sealed = z.object({ sealed: z.string().optional() });

export async function findToken(tx: Tx, keys: KeyRing, ref: DestinationRef): Promise<Secret | undefined> {
  const row = await tx.one(Sealed)`
    select sealed_token as sealed from ticketing_instance
    where deployment_id = ${ref.deployment} and destination_id = ${ref.id}`;
  return row?.sealed === undefined ? undefined : openSecret(tx, keys, locationOf(ref), row.sealed);
}

/** The settings of a client, with the token; undefined if the instance or its token is gone. */
export async function findSettings(
  tx: Tx,
  keys: KeyRing,
  ref: DestinationRef,
): Promise<(TrackerSettings & { fields: FieldMapping }) | undefined> {
  const stored = await findInstance(tx, ref);
  const token = stored && (await findToken(tx, keys, ref));
  if (!stored || !token) return undefined;
  return {
    ...{ deployment: ref.deployment, kind: stored.kind, siteUrl: stored.site_url, account: stored.account, token },
    trackerAccount: stored.tracker_account,
    trackerProject: stored.tracker_project,
    issueType: stored.issue_type,
    fields: stored.fields,
    fieldKinds: stored.field_kinds as Record<string, TrackerFieldKind>,
    fixedTransition: stored.fixed_transition,
  };
}
