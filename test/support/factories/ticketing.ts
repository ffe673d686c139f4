import { linkFindings } from '#domain/ticketing/link-tickets.ts';
import * as instances from '#domain/ticketing/ticketing-instances.ts';
import { NO_AUTOMATION } from '#domain/ticketing/ticketing-shape.ts';
import type { TrackerKind } from '#domain/ticketing/trackers/tracker-shape.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';
import { makeFinding } from './findings.ts';

export const TRACKER_PROJECT = 'SHOP';
const SITE = 'https://acme.atlassian.net';
export const EXAMPLE_TICKET_URL = `${SITE}/browse/SHOP-12`;
const SHARED = 'Shared tracker';

export interface InstanceOptions {
  kind?: TrackerKind;
  siteUrl?: string;
  trackerProject?: string;
  trackerAccount?: string;
  name?: string;
}

async function insertTracker(tx: Tx, { world, place }: Scenario, options: InstanceOptions): Promise<string> {
  const ref = await instances.insertInstance(tx, place.id, {
    name: options.name ?? uniqueName('Tracker '),
    kind: options.kind ?? 'jira',
    siteUrl: options.siteUrl ?? SITE,
    account: 'parapet@example.com',
    trackerAccount: options.trackerAccount ?? 'parapet',
    trackerProject: options.trackerProject ?? TRACKER_PROJECT,
    issueType: '10001',
    fields: {},
    fieldKinds: {},
    automationStates: NO_AUTOMATION,
    fixedTransition: '',
  });
  await instances.setToken(tx, world.keys, ref, new Secret('made-for-a-test'));
  return ref.id;
}

/** A stored tracker that was not checked. */
export const makeTicketingInstance = (scene: Scenario, options: InstanceOptions = {}): Promise<string> =>
  scene.world.inDeployment(scene.place, (tx) => insertTracker(tx, scene, options));

/** The tracker that the examples of one deployment share, so that a ticket belongs to the tracker of its path. */
export async function ticketingInstanceOf(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  return world.inDeployment(place, async (tx) => {
    await lockLimit(tx, { deployment: place.id, limit: 'test-tracker' });
    const found = (await instances.listInstances(tx, place.id)).find(({ name }) => name === SHARED);
    return found?.id ?? insertTracker(tx, scene, { name: SHARED });
  });
}

export async function makeExternalTicket(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const instance = await ticketingInstanceOf(scene);
  const findings = [await makeFinding(scene)];
  const key = uniqueName('SHOP-');
  const remote = { externalId: key, slug: key, url: `${SITE}/browse/${key}`, state: 'open' } as const;
  const made = await world.inDeployment(place, (tx) =>
    linkFindings(tx, {
      ...{ deployment: place.id, instance, trackerProject: TRACKER_PROJECT, remote, findings, by: 'test' },
      at: new Date(),
    }),
  );
  return made.ticket;
}
