import type pg from 'pg';
import * as sessions from '#domain/accounts/sessions.ts';
import {
  DELIVERY_QUEUE,
  deleteOldBodies,
  deleteOldDeliveries,
  deleteOldRuns,
} from '#domain/automations/deliveries/delivery-store.ts';
import { pumpHandler, wakeHandler, wakeSchedule } from '#domain/automations/deliveries/pump.ts';
import { considerHandler } from '#domain/automations/engine/consider-batch.ts';
import * as automations from '#domain/automations/store.ts';
import { scanEventHandler } from '#domain/automations/webhooks/send-scan-events.ts';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { analyzeHandler } from '#domain/findings/ingest/analyze-growth.ts';
import { tallyHandler, tallySchedule } from '#domain/findings/metrics/tally.ts';
import { expiryHandler, expirySchedule } from '#domain/findings/triage/expire-decisions.ts';
import * as invitations from '#domain/invitations/store.ts';
import { digestHandler, digestSchedule, digestsHandler } from '#domain/mailing/digest-jobs.ts';
import { tellOfValidSecrets } from '#domain/mailing/tell-secrets.ts';
import * as notifications from '#domain/notifications/store.ts';
import { sbomExporter } from '#domain/sboms/sbom-export.ts';
import * as scans from '#domain/scans/store.ts';
import { deleteOldScmDeliveries } from '#domain/scm/receive-delivery.ts';
import { deleteOldRequests } from '#domain/scm/scm-apps.ts';
import { scmHandlers } from '#domain/scm/scm-handlers.ts';
import { scmSyncSchedule, syncAllConfigsHandler } from '#domain/scm/scm-jobs.ts';
import { deleteOldMessages, updateMessages } from '#domain/slack/slack-messages.ts';
import * as tasks from '#domain/tasks/store.ts';
import { syncAllHandler, syncHandler, syncSchedule } from '#domain/ticketing/sync-jobs.ts';
import { deleteOldAttempts } from '#domain/ticketing/ticket-store.ts';
import type { SealingContext } from '#kernel/audit/checkpoint.ts';
import { auditHandlers, auditSchedule } from '#kernel/audit/jobs.ts';
import type { Database } from '#kernel/db/database.ts';
import type { InstanceCheck } from '#kernel/db/instance-check.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { deleteExpiredReplies, retentionHandler, retentionSchedule } from '#kernel/jobs/retention.ts';
import { Schedule } from '#kernel/jobs/schedule.ts';
import { sweepHandler, sweepSchedule } from '#kernel/jobs/sweep.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import type { Log } from '#kernel/log/log.ts';
import { invitationMailer } from '#services/invitations/jobs.ts';
import { bulkUpdateHandler } from '#services/issues/bulk/jobs.ts';
import { issueExportHandler } from '#services/issues/export/jobs.ts';
import { deleteExpired as deleteExpiredCiTokens } from '#services/keyless-ci/store.ts';
import { resetMailer } from '#services/sessions/reset-mail.ts';
import { demoLoader } from '../demo/load-job.ts';
import { sealAtStop, sealingOf } from './seal-at-stop.ts';

export interface BackgroundOptions {
  db: Database;
  connection: pg.ClientConfig;
  /** What jobs use besides the database. */
  services: Pick<Services, 'keys' | 'mail' | 'baseUrl' | 'egress' | 'version' | 'slackUrl'>;
  /** Tells whether the database is a restored copy, which sends nothing. */
  instance: Pick<InstanceCheck, 'isCopy'>;
  /** How often a copy looks whether it was released. */
  copyCheckMs?: number;
  /** Identifies the process in the leases of its jobs. */
  workerId: string;
  log: Log;
}

/** Calls of destinations mostly wait, so that many fit beside each other. */
const DELIVERIES_AT_ONCE = 64;
const COPY_CHECK_MS = 30_000;

/** What is deleted or ended after some time. */
const RETENTION = [
  deleteExpiredReplies,
  deleteExpiredCiTokens,
  sessions.deleteExpired,
  invitations.deleteExpired,
  notifications.deleteOld,
  tasks.deleteOld,
  automations.deleteExpired,
  deleteOldRuns,
  deleteOldDeliveries,
  deleteOldBodies,
  deleteOldAttempts,
  deleteOldMessages,
  deleteOldRequests,
  deleteOldScmDeliveries,
  scans.markAbandoned,
  tasks.terminateStuck,
];

/** The background work of a process: jobs, the audit chain, and retention. */
export class Background {
  readonly #worker: JobWorker;
  readonly #deliveries: JobWorker;
  readonly #schedule: Schedule;
  readonly #sealing: SealingContext;
  readonly #options: BackgroundOptions;
  #copyTimer: NodeJS.Timeout | undefined;
  #starting: Promise<void> | undefined;

  constructor(options: BackgroundOptions) {
    const { db, connection, services, workerId, log } = options;
    this.#options = options;
    const sealing = sealingOf({ db, keys: services.keys, log });
    this.#sealing = sealing;
    const adapters = adaptersOf(services);
    this.#deliveries = new JobWorker({
      ...{ db, connection, log, workerId },
      queue: DELIVERY_QUEUE,
      concurrency: DELIVERIES_AT_ONCE,
      handlers: [pumpHandler({ db, adapters }), syncHandler(db, services), ...scmHandlers(db, services)],
    });
    this.#worker = new JobWorker({
      db,
      connection,
      log,
      workerId,
      handlers: [
        ...auditHandlers(sealing),
        sweepHandler(db),
        analyzeHandler(connection),
        retentionHandler(db, RETENTION),
        expiryHandler(db),
        tallyHandler(db),
        considerHandler({ adapters, steps: services.mail.isOn ? [tellOfValidSecrets] : [] }),
        scanEventHandler([updateMessages]),
        wakeHandler(db),
        digestsHandler(db, services),
        digestHandler(services),
        syncAllHandler(db),
        syncAllConfigsHandler(db),
        issueExportHandler(),
        bulkUpdateHandler(),
        ...[invitationMailer, resetMailer].map((mailer) => mailer(services)),
        sbomExporter(),
        demoLoader(db, services),
      ],
    });
    this.#schedule = new Schedule({
      db,
      log,
      recurring: [
        ...auditSchedule,
        sweepSchedule,
        retentionSchedule,
        expirySchedule,
        tallySchedule,
        wakeSchedule,
        digestSchedule,
        syncSchedule,
        scmSyncSchedule,
      ],
    });
  }

  start(): void {
    this.#worker.start();
    this.#schedule.start();
    this.#starting = this.#startDeliveries();
  }

  /** A copy of a database looks again from time to time whether it was released. */
  async #startDeliveries(isFirst = true): Promise<void> {
    const { instance, log, copyCheckMs = COPY_CHECK_MS } = this.#options;
    const isCopy = await instance.isCopy().catch((error: unknown) => {
      log.warn({ err: error }, 'the place of the database could not be checked');
      return true;
    });
    if (!isCopy) {
      this.#deliveries.start();
      return;
    }
    if (isFirst) log.warn('this database may be a copy, so nothing is sent until "parapet release"');
    this.#copyTimer = setTimeout(() => {
      this.#starting = this.#startDeliveries(false);
    }, copyCheckMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#copyTimer);
    await this.#starting;
    clearTimeout(this.#copyTimer);
    await this.#schedule.stop();
    await Promise.all([this.#worker.stop(), this.#deliveries.stop()]);
    await sealAtStop(this.#sealing);
  }
}
