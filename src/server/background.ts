import type pg from 'pg';
import type { Registry } from 'prom-client';
import * as sessions from '#domain/accounts/sessions.ts';
import * as automations from '#domain/automations/store.ts';
import { tallyHandler, tallySchedule } from '#domain/findings/metrics/tally.ts';
import { expiryHandler, expirySchedule } from '#domain/findings/triage/expire-decisions.ts';
import * as invitations from '#domain/invitations/store.ts';
import * as notifications from '#domain/notifications/store.ts';
import { sbomExporter } from '#domain/sboms/sbom-export.ts';
import * as scans from '#domain/scans/store.ts';
import * as tasks from '#domain/tasks/store.ts';
import type { SealingContext } from '#kernel/audit/checkpoint.ts';
import { auditHandlers, auditSchedule, logCheckpoint } from '#kernel/audit/jobs.ts';
import { sealAll } from '#kernel/audit/seal.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';
import { deleteExpiredReplies, retentionHandler, retentionSchedule } from '#kernel/jobs/retention.ts';
import { Schedule } from '#kernel/jobs/schedule.ts';
import { sweepHandler, sweepSchedule } from '#kernel/jobs/sweep.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import type { Log } from '#kernel/log/log.ts';
import { invitationMailer } from '#services/checklist/jobs.ts';
import { bulkUpdateHandler } from '#services/issues/bulk/jobs.ts';
import { issueExportHandler } from '#services/issues/export/jobs.ts';
import { demoLoader } from '../demo/load.ts';
import type { Assembly } from './assemble.ts';
import { measureDisks, measureJobs } from './gauges.ts';

interface BackgroundOptions {
  assembly: Assembly;
  connection: pg.ClientConfig;
  keys: KeyRing;
  log: Log;
  registry: Registry;
}

const FINAL_SEAL_MS = 2000;

/** The background work of a server: jobs, the audit chain, and retention. */
export class Background {
  readonly #worker: JobWorker;
  readonly #schedule: Schedule;
  readonly #sealing: SealingContext;

  constructor({ assembly, connection, keys, log, registry }: BackgroundOptions) {
    const { db, nodes } = assembly;
    const signer = ed25519From(keys.derive('audit-checkpoint'));
    const sealing: SealingContext = { db, signer, onCheckpoint: logCheckpoint(log) };
    this.#sealing = sealing;
    this.#worker = new JobWorker({
      db,
      connection,
      log,
      workerId: nodes.id,
      handlers: [
        ...auditHandlers(sealing),
        sweepHandler(db),
        retentionHandler(db, [
          deleteExpiredReplies,
          sessions.deleteExpired,
          invitations.deleteExpired,
          notifications.deleteOld,
          tasks.deleteOld,
          automations.deleteExpired,
          scans.markAbandoned,
          tasks.terminateStuck,
        ]),
        expiryHandler(db),
        tallyHandler(db),
        issueExportHandler(),
        bulkUpdateHandler(),
        invitationMailer(assembly.services),
        sbomExporter(),
        demoLoader(db, assembly.services),
      ],
    });
    this.#schedule = new Schedule({
      db,
      log,
      recurring: [...auditSchedule, sweepSchedule, retentionSchedule, expirySchedule, tallySchedule],
    });
    measureJobs(registry, db);
    measureDisks(registry, assembly.services.diskSpace);
  }

  start(): void {
    this.#worker.start();
    this.#schedule.start();
  }

  async stop(): Promise<void> {
    await this.#schedule.stop();
    await this.#worker.stop();
    // Seals the records of the last seconds, but does not delay the stop for a long queue.
    await sealAll(this.#sealing, AbortSignal.timeout(FINAL_SEAL_MS)).catch(() => undefined);
  }
}
