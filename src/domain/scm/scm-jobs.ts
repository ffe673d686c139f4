import { z } from 'zod';
import { DELIVERY_QUEUE } from '#domain/automations/deliveries/delivery-store.ts';
import { runTask, TaskRefused, taskKind } from '#domain/tasks/task-runner.ts';
import type { Database } from '#kernel/db/database.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueue, enqueueAll, job } from '#kernel/jobs/job.ts';
import { every } from '#kernel/jobs/schedule.ts';
import { checkConfig } from './check-config.ts';
import { HostFailure } from './hosts/host-failure.ts';
import type { ScmServices, ScmTransaction } from './open-host.ts';
import type { ConfigRef } from './scm-configs.ts';
import { hookAllRepositories } from './subscribe.ts';
import { type SyncReport, syncConfig } from './sync-repositories.ts';

const HOUR_MS = 3_600_000;

/** Calls of hosts mostly wait, and a copy of a database must not make any, as with deliveries. */
export const syncScmConfig = job({
  kind: 'scm.sync',
  queue: DELIVERY_QUEUE,
  payload: { config: z.string() },
  maxAttempts: 3,
});
/** Registers the webhook in repositories that do not have it yet, where a host has none for a whole namespace. */
export const hookRepositoriesJob = job({
  kind: 'scm.hook-repositories',
  queue: DELIVERY_QUEUE,
  payload: { config: z.string() },
  maxAttempts: 5,
});
const syncAllConfigs = job({ kind: 'scm.sync-all', payload: {}, isUrgent: false });

export const scmSyncSchedule = every(HOUR_MS, syncAllConfigs, {});

/** A sync that somebody asked for, and waits for. */
export const scmSyncTask = taskKind('scm.sync', { config: z.string() }, DELIVERY_QUEUE);

const Due = z.object({ deployment_id: z.string(), id: z.string() });

/** Once a day each configuration is synced, at an hour that depends on its id, or as soon as it is late. */
export const syncAllConfigsHandler = (db: Database): JobHandler =>
  jobHandler(syncAllConfigs, async () => {
    await db.transaction({ role: 'background', isRead: false }, async (tx) => {
      const due = await tx.all(Due)`
        select deployment_id, id from scm_config
        where sync_begun_at is null or sync_begun_at < now() - interval '25 hours'
          or (mod(abs(hashint8(id)), 24) = extract(hour from now() at time zone 'UTC')
              and sync_begun_at < now() - interval '90 minutes')`;
      await enqueueAll(
        tx,
        syncScmConfig,
        due.map(({ deployment_id: deployment, id }) => ({ deployment, payload: { config: id }, uniqueKey: id })),
      );
    });
  });

const transactionIn =
  (db: Database, deployment: string): ScmTransaction =>
  (work) =>
    db.transaction({ role: 'app', deployment, isRead: false }, work);

/** Checks the credential first, so that its state and the reason of a failure are shown, then reads the list. */
async function checkAndSync(
  transaction: ScmTransaction,
  services: ScmServices,
  { ref, signal }: { ref: ConfigRef; signal: AbortSignal },
): Promise<SyncReport | undefined> {
  const at = new Date();
  const result = await checkConfig(transaction, services, ref, at);
  if (!result) return undefined;
  if (result.kind === 'failed') throw result.failure;
  const report = await syncConfig(transaction, services, { ref, at, signal });
  const { deployment, id } = ref;
  if (report && report.added > 0)
    await transaction((tx) => enqueue(tx, hookRepositoriesJob, { deployment, payload: { config: id }, uniqueKey: id }));
  return report;
}

export const hookRepositoriesHandler = (db: Database, services: ScmServices): JobHandler =>
  jobHandler(hookRepositoriesJob, async ({ deployment, payload, signal }) => {
    const transaction = transactionIn(db, deployment);
    await hookAllRepositories(transaction, services, { deployment, id: payload.config }, signal);
  });

export const syncConfigHandler = (db: Database, services: ScmServices): JobHandler =>
  jobHandler(syncScmConfig, async ({ deployment, payload, signal }) => {
    const ref = { deployment, id: payload.config };
    try {
      await checkAndSync(transactionIn(db, deployment), services, { ref, signal });
    } catch (error) {
      // The state of the configuration says what is wrong; asking again soon would not help.
      const isLasting = error instanceof HostFailure && ['refused', 'revoked', 'gone'].includes(error.kind);
      if (!isLasting) throw error;
    }
  });

export const syncTaskHandler = (db: Database, services: ScmServices): JobHandler =>
  runTask(scmSyncTask, async ({ deployment, input, signal }) => {
    const ref = { deployment, id: input.config };
    try {
      const report = await checkAndSync(transactionIn(db, deployment), services, { ref, signal });
      if (!report) throw new TaskRefused('The configuration does not exist any more.');
      const text = JSON.stringify(report);
      return { name: 'sync.json', contentType: 'application/json', chunks: () => [text] };
    } catch (error) {
      throw error instanceof HostFailure ? new TaskRefused(error.message) : error;
    }
  });
