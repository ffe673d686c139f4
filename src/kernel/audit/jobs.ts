import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';
import { every, type RecurringJob } from '#kernel/jobs/schedule.ts';
import type { Log } from '#kernel/log/log.ts';
import { type Checkpoint, checkpointAll, type SealingContext } from './checkpoint.ts';
import { sealAll } from './seal.ts';

const SEAL_MS = 5000;
const CHECKPOINT_MS = 60_000;

export const auditSeal = job({ kind: 'audit.seal', payload: {} });
export const auditCheckpoint = job({ kind: 'audit.checkpoint', payload: {} });

/** When records are sealed and checkpoints are signed. */
export const auditSchedule: readonly RecurringJob[] = [
  every(SEAL_MS, auditSeal, {}),
  every(CHECKPOINT_MS, auditCheckpoint, {}),
];

/** The jobs that seal records and sign checkpoints. */
export const auditHandlers = (context: SealingContext): JobHandler[] => [
  jobHandler(auditSeal, async ({ signal }) => void (await sealAll(context, signal))),
  jobHandler(auditCheckpoint, async () => void (await checkpointAll(context))),
];

/** Logs a checkpoint, so that it leaves the machine with the log. */
export const logCheckpoint =
  (log: Log) =>
  ({ deployment, size, hash, at, keyId, signature }: Checkpoint): void =>
    log.info(
      { deployment, size, hash: hash.toString('hex'), at, keyId, signature: signature.toString('base64url') },
      'audit checkpoint',
    );
