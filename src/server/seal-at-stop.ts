import type { SealingContext } from '#kernel/audit/checkpoint.ts';
import { logCheckpoint } from '#kernel/audit/jobs.ts';
import { sealAll } from '#kernel/audit/seal.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';
import type { Database } from '#kernel/db/database.ts';
import type { Log } from '#kernel/log/log.ts';

const FINAL_SEAL_MS = 2000;

export const sealingOf = ({ db, keys, log }: { db: Database; keys: KeyRing; log: Log }): SealingContext => ({
  db,
  signer: ed25519From(keys.derive('audit-checkpoint')),
  onCheckpoint: logCheckpoint(log),
});

/** Seals the records of the last seconds, but does not delay the stop for a long queue. */
export const sealAtStop = (sealing: SealingContext): Promise<unknown> =>
  sealAll(sealing, AbortSignal.timeout(FINAL_SEAL_MS)).catch(() => undefined);
