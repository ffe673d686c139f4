import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import * as automations from '#domain/automations/store.ts';
import { expirer, expiring } from '#domain/findings/expiry.ts';
import { folder, folding } from '#domain/findings/tally.ts';
import * as invitations from '#domain/invitations/store.ts';
import * as notifications from '#domain/notifications/store.ts';
import * as sessions from '#domain/people/sessions.ts';
import { sbomExporter } from '#domain/sboms/export.ts';
import * as scans from '#domain/scans/store.ts';
import * as tasks from '#domain/tasks/store.ts';
import type { Notary } from '#kernel/audit/checkpoint.ts';
import { auditHandlers, auditSchedule, printCheckpoint } from '#kernel/audit/jobs.ts';
import { sealAll } from '#kernel/audit/seal.ts';
import type { KeyRing } from '#kernel/crypto/keys.ts';
import { ed25519From } from '#kernel/crypto/signing-key.ts';
import { forgetReplies, forgetter, forgetting } from '#kernel/jobs/forget.ts';
import { Schedule } from '#kernel/jobs/schedule.ts';
import { stats } from '#kernel/jobs/stats.ts';
import { sweeper, sweeping } from '#kernel/jobs/sweep.ts';
import { Worker } from '#kernel/jobs/worker.ts';
import type { Log } from '#kernel/log/log.ts';
import { invitationMailer } from '#services/checklist/jobs.ts';
import { bulkUpdater } from '#services/issues/bulk.ts';
import { issueExporter } from '#services/issues/export.ts';
import type { Assembly } from './assemble.ts';
import { demoLoader } from './demo/load.ts';

interface BackgroundOptions {
  assembly: Assembly;
  connection: pg.ClientConfig;
  keys: KeyRing;
  log: Log;
  registry: Registry;
}

const LAST_SEAL_MS = 2000;

/** What goes on beside requests: jobs, the audit chain, and cleaning up. */
export class Background {
  readonly #worker: Worker;
  readonly #schedule: Schedule;
  readonly #notary: Notary;

  constructor({ assembly, connection, keys, log, registry }: BackgroundOptions) {
    const { db, nodes } = assembly;
    const signer = ed25519From(keys.derive('audit-checkpoint'));
    const notary: Notary = { db, signer, onCheckpoint: printCheckpoint(log) };
    this.#notary = notary;
    this.#worker = new Worker({
      db,
      connection,
      log,
      workerId: nodes.id,
      handlers: [
        ...auditHandlers(notary),
        sweeper(db),
        forgetter(db, [
          forgetReplies,
          sessions.forgetOld,
          invitations.forgetOld,
          notifications.forgetOld,
          tasks.forgetOld,
          automations.forgetOld,
          scans.abandonOld,
          tasks.endStuck,
        ]),
        expirer(db),
        folder(db),
        issueExporter(),
        bulkUpdater(),
        invitationMailer(assembly.powers),
        sbomExporter(),
        demoLoader(db, assembly.powers),
      ],
    });
    this.#schedule = new Schedule({ db, log, recurring: [...auditSchedule, sweeping, forgetting, expiring, folding] });
    measure(registry, assembly);
  }

  start(): void {
    this.#worker.start();
    this.#schedule.start();
  }

  async stop(): Promise<void> {
    await this.#schedule.stop();
    await this.#worker.stop();
    // What the last seconds brought shall not wait for the next start; a long queue does.
    await sealAll(this.#notary, AbortSignal.timeout(LAST_SEAL_MS)).catch(() => undefined);
  }
}

function measure(registry: Registry, { db }: Assembly): void {
  const ask = () => db.transaction({ role: 'keeper', isRead: true }, stats);
  const gauge = (name: string, help: string, pick: (found: Awaited<ReturnType<typeof stats>>) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(pick(await ask()));
      },
    });
  gauge('parapet_jobs_ready', 'Jobs that are due and wait.', ({ ready }) => ready);
  gauge(
    'parapet_jobs_oldest_seconds',
    'For how long the oldest of them has been due.',
    (found) => found.oldestReadySeconds,
  );
  gauge('parapet_jobs_dead', 'Jobs that were given up.', ({ dead }) => dead);
}
