import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { IDEMPOTENCY_IN_FLIGHT, IDEMPOTENCY_MISMATCH, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { OutgoingResponse } from '../message.ts';

const Lock = z.object({ held: z.boolean() });
const StoredReply = z.object({ digest: z.string(), reply: z.string() });

const MAX_KEY_LENGTH = 255;

/**
 * Identifies a request that is carried out at most once: its sender, operation and key, and a digest of its content.
 */
export interface IdempotentRequest {
  deployment: string;
  scope: string;
  key: string;
  digest: string;
}

/** Reads the Idempotency-Key header, with or without quotes; undefined when it was not sent. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.trim().replace(/^"(.*)"$/, '$1');
  if (key.length === 0 || key.length > MAX_KEY_LENGTH)
    throw VALIDATION_FAILED(
      { count: '1 error', first: `header/Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters` },
      { errors: [{ pointer: 'header/Idempotency-Key', code: 'LENGTH', detail: `1 to ${MAX_KEY_LENGTH} characters` }] },
    );
  return key;
}

export function identifyRequest(options: {
  deployment: string;
  credential: string;
  operation: string;
  key: string;
  request: unknown;
  /** The digest is keyed, because a request may contain a secret that is short enough to be guessed. */
  sealingKey: KeyObject;
}): IdempotentRequest {
  const content = JSON.stringify(options.request, (_, value: unknown) =>
    typeof value === 'bigint' ? { integer: String(value) } : value,
  );
  const digest = createHmac('sha256', options.sealingKey).update(content).digest('base64url');
  const { deployment, credential, operation, key } = options;
  return { deployment: deployment || '0', scope: `${credential} ${operation}`, key, digest };
}

/** Stored replies are encrypted, because a reply may contain a secret that is shown only once. */
const purposeOf = ({ deployment, scope, key }: IdempotentRequest) =>
  JSON.stringify(['idempotency', deployment, scope, key]);

/** The stored reply of an earlier request with this key; undefined for the first one. */
export async function findStoredReply(
  tx: Tx,
  sealingKey: KeyObject,
  request: IdempotentRequest,
): Promise<OutgoingResponse | undefined> {
  const { deployment, scope, key, digest } = request;
  const lock = createHash('sha256').update(purposeOf(request)).digest().readBigInt64BE();
  const isLocked = await tx.one(Lock)`select pg_try_advisory_xact_lock(${lock}) as held`;
  if (!isLocked?.held) throw IDEMPOTENCY_IN_FLIGHT({ headers: { 'retry-after': '1' } });
  const stored = await tx.one(StoredReply)`
    select digest, reply from idempotency
    where deployment_id = ${deployment} and scope = ${scope} and key = ${key}
      and created_at > now() - interval '24 hours'`;
  if (!stored) return undefined;
  if (stored.digest !== digest) throw IDEMPOTENCY_MISMATCH();
  const text = unseal(sealingKey, purposeOf(request), stored.reply);
  if (!text) throw new Error('A stored reply cannot be decrypted with the current key.');
  const reply = JSON.parse(text.toString('utf8')) as OutgoingResponse;
  return { ...reply, headers: { ...reply.headers, 'idempotency-replayed': 'true' } };
}

/** Stores the reply in the transaction of its effect: both are committed, or neither. */
export async function storeReply(
  tx: Tx,
  sealingKey: KeyObject,
  request: IdempotentRequest,
  reply: OutgoingResponse,
): Promise<void> {
  const { deployment, scope, key, digest } = request;
  const sealed = seal(sealingKey, purposeOf(request), JSON.stringify(reply));
  await tx.run`
    insert into idempotency (deployment_id, scope, key, digest, reply)
    values (${deployment}, ${scope}, ${key}, ${digest}, ${sealed})
    on conflict (deployment_id, scope, key)
    do update set digest = excluded.digest, reply = excluded.reply, created_at = now()`;
}
