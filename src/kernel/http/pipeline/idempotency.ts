import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { IDEMPOTENCY_IN_FLIGHT, IDEMPOTENCY_MISMATCH, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { OutgoingResponse } from '../message.ts';

const LONGEST_KEY = 255;

/** One promise to do a thing once: whose it is, and a digest of what was asked. */
export interface IdempotentRequest {
  deployment: string;
  scope: string;
  key: string;
  digest: string;
}

/** Reads the header: quoted or bare; undefined when it was not sent. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.trim().replace(/^"(.*)"$/, '$1');
  if (key.length === 0 || key.length > LONGEST_KEY)
    throw VALIDATION_FAILED(
      { count: '1 error', first: `header/Idempotency-Key must have 1 to ${LONGEST_KEY} characters` },
      { errors: [{ pointer: 'header/Idempotency-Key', code: 'LENGTH', detail: `1 to ${LONGEST_KEY} characters` }] },
    );
  return key;
}

export function identifyRequest(options: {
  deployment: string;
  credential: string;
  operation: string;
  key: string;
  request: unknown;
  /** A request may hold a secret that is short enough to be guessed from a plain digest. */
  sealing: KeyObject;
}): IdempotentRequest {
  const digest = createHmac('sha256', options.sealing).update(JSON.stringify(options.request)).digest('base64url');
  const { deployment, credential, operation, key } = options;
  return { deployment: deployment || '0', scope: `${credential} ${operation}`, key, digest };
}

/** The stored reply is sealed, because a reply may hold a secret that is shown once. */
const purposeOf = ({ deployment, scope, key }: IdempotentRequest) =>
  JSON.stringify(['idempotency', deployment, scope, key]);

/** The reply that was given before, or undefined when this is the first time. */
export async function findStoredReply(
  tx: Tx,
  sealing: KeyObject,
  promised: IdempotentRequest,
): Promise<OutgoingResponse | undefined> {
  const { deployment, scope, key, digest } = promised;
  const lock = createHash('sha256').update(purposeOf(promised)).digest().readBigInt64BE();
  const [held] = await tx.rows`select pg_try_advisory_xact_lock(${lock}) as held`;
  if (!held?.['held']) throw IDEMPOTENCY_IN_FLIGHT({ headers: { 'retry-after': '1' } });
  const [row] = await tx.rows`
    select digest, reply from idempotency
    where deployment_id = ${deployment} and scope = ${scope} and key = ${key}
      and created_at > now() - interval '24 hours'`;
  if (!row) return undefined;
  if (row['digest'] !== digest) throw IDEMPOTENCY_MISMATCH();
  const text = unseal(sealing, purposeOf(promised), String(row['reply']));
  if (!text) throw new Error('A stored reply cannot be opened with the present key.');
  const stored = JSON.parse(text.toString('utf8')) as OutgoingResponse;
  return { ...stored, headers: { ...stored.headers, 'idempotency-replayed': 'true' } };
}

/** Keeps the reply in the transaction of its effect: both are there, or neither. */
export async function storeReply(
  tx: Tx,
  sealing: KeyObject,
  promised: IdempotentRequest,
  reply: OutgoingResponse,
): Promise<void> {
  const { deployment, scope, key, digest } = promised;
  const sealed = seal(sealing, purposeOf(promised), JSON.stringify(reply));
  await tx.run`
    insert into idempotency (deployment_id, scope, key, digest, reply)
    values (${deployment}, ${scope}, ${key}, ${digest}, ${sealed})
    on conflict (deployment_id, scope, key)
    do update set digest = excluded.digest, reply = excluded.reply, created_at = now()`;
}
