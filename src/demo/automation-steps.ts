import { z } from 'zod';
import { considerChanges } from '#domain/automations/engine/consider-batch.ts';
import { previewExisting, runOnExisting } from '#domain/automations/engine/run-existing.ts';
import * as automationStore from '#domain/automations/store.ts';
import * as webhookStore from '#domain/automations/webhooks/webhook-store.ts';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { takeIdSnapshot } from '#domain/findings/tracking/id-snapshot.ts';
import { findInstance, insertInstance, setToken } from '#domain/ticketing/ticketing-instances.ts';
import { NO_AUTOMATION } from '#domain/ticketing/ticketing-shape.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { automations } from '#services/automations/routes.ts';
import { automationsOf } from './automation-definitions.ts';
import { callOperation } from './call-operation.ts';
import type { DemoContext, DemoStep } from './context.ts';
import { settleDeliveries } from './delivery-outcomes.ts';
import type { DemoProject } from './projects.ts';
import { hexDigest } from './random.ts';

/** The automations were made this many days ago; they consider what happens from then on. */
const CREATED_AGO = 9.5;
/** Somebody ran the automation for tickets on existing findings. */
const RUN_AGO = 3.2;
/** After all scans. */
const SETTLED_AGO = 0.01;

const TICKET_AUTOMATION = 'Ticket for critical findings';

async function insertWebhook(tx: Tx, { deployment, services, demo }: DemoContext, name: string, url: string) {
  const secret = new Secret(hexDigest(`${demo.seed} ${name}`, 40));
  const settings = { useNetworkBroker: false, sendScanCompletion: false };
  return webhookStore.insert(tx, services.keys, { deployment, name, url, secret, ...settings });
}

async function insertTracker(tx: Tx, { deployment, services, demo }: DemoContext): Promise<string> {
  const ref = await insertInstance(tx, deployment, {
    ...{ name: 'Acme Jira', kind: 'jira_server', siteUrl: 'https://jira.acme.example', account: '' },
    ...{ trackerAccount: 'parapet', trackerProject: 'SHOP', issueType: '10004', fields: {}, fieldKinds: {} },
    ...{ automationStates: NO_AUTOMATION, fixedTransition: '31' },
  });
  await setToken(tx, services.keys, ref, new Secret(hexDigest(`${demo.seed} tracker`, 40)));
  return (await findInstance(tx, ref))?.slug ?? '';
}

/** Makes the receivers and the automations. Receivers are disabled, so that nobody calls an address of the demo. */
async function createAutomations(tx: Tx, context: DemoContext, projects: readonly DemoProject[]): Promise<void> {
  const { deployment } = context;
  const now = context.daysAgo(CREATED_AGO);
  const caller = await context.person(tx, 'mara');
  const paymentsProjects = projects.filter(({ tags }) => tags.includes('team:payments'));
  const targets = {
    siem: await insertWebhook(tx, context, 'SIEM', 'https://siem.acme.example/events/parapet'),
    chat: await insertWebhook(tx, context, 'Payments chat', 'https://chat.acme.example/hooks/payments'),
    tracker: await insertTracker(tx, context),
    projects: await Promise.all(paymentsProjects.map(({ name }) => context.project(tx, name))),
  };
  await tx.run`
    update destination set state = 'disabled', created_at = ${now} where deployment_id = ${deployment}`;
  for (const { mode, conditions, ...definition } of automationsOf(targets)) {
    const automation = { ...definition, filters: { mode: 'MODE_ALL', conditions }, active: mode === 'live' };
    const call = { body: { automation }, caller, now };
    const made = await callOperation(tx, context, [automations, 'createAutomation'], call);
    const { id } = (made as { automation: { id: string } }).automation;
    if (mode === 'simulate') await automationStore.setMode(tx, { deployment, id }, { mode, by: caller.name });
  }
  await tx.run`
    update automation set created_at = ${now}, updated_at = ${now} where deployment_id = ${deployment}`;
}

const Batch = z.object({ id: z.string(), at: z.string() });

/** Has the automations consider the newest scan, as the worker does after each. */
async function considerNewest(tx: Tx, context: DemoContext): Promise<void> {
  const { deployment } = context;
  const batch = await tx.one(Batch)`
    select id, at from finding_batch where deployment_id = ${deployment} and kind = 'scan' order by id desc limit 1`;
  if (!batch) return;
  const change = { deployment, batch: batch.id, at: new Date(batch.at) };
  await considerChanges(tx, adaptersOf(context.services), change);
}

/** A step that imports a scan, followed by the automations that exist at that time. */
export const withAutomations = (step: DemoStep): DemoStep => ({
  ...step,
  run: async (tx, context) => {
    await step.run(tx, context);
    if (step.ago < CREATED_AGO) await considerNewest(tx, context);
  },
});

async function runOnExistingFindings(tx: Tx, context: DemoContext): Promise<void> {
  const { deployment } = context;
  const caller = await context.person(tx, 'mara');
  const row = await tx.one(RowId)`
    select id from automation where deployment_id = ${deployment} and name = ${TICKET_AUTOMATION}`;
  const automation = row && (await automationStore.find(tx, deployment, row.id));
  if (!automation) return;
  const snapshot = await takeIdSnapshot(tx, deployment);
  const { filters, triggerSource: trigger, id } = automation;
  const { count } = await previewExisting(tx, { deployment, filters, trigger, snapshot, automation: id });
  const order = { deployment, automation, snapshot, considered: count, by: caller.name, at: context.daysAgo(RUN_AGO) };
  await runOnExisting(tx, adaptersOf(context.services), order);
}

/** Creates the automations without letting them run. */
export const automationStep = (projects: readonly DemoProject[]): DemoStep => ({
  ago: CREATED_AGO,
  run: (tx, context) => createAutomations(tx, context, projects),
});

/** The automations, a run of one of them on existing findings, and what became of all deliveries. */
export const automationSteps = (projects: readonly DemoProject[]): DemoStep[] => [
  automationStep(projects),
  { ago: RUN_AGO, run: runOnExistingFindings },
  { ago: SETTLED_AGO, run: (tx, context) => settleDeliveries(tx, context) },
];
