import { createSecretKey } from 'node:crypto';
import type { AuditEntry } from '#kernel/audit/audit-record.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { ed25519From, type SigningKey } from '#kernel/crypto/keys/signing-key.ts';

/** Keys and entries for tests of the audit trail. */
export const auditKey = createSecretKey(Buffer.alloc(32, 'audit'));
export const signer: SigningKey = ed25519From(createSecretKey(Buffer.alloc(32, 'checkpoint')));

export const entryFor = (deployment: string, requestId: string): AuditEntry => ({
  caller: { ...anonymousCaller, kind: 'token', credential: 'token-1', deployment },
  requestId,
  address: '192.0.2.7',
  operation: 'TeamsService.updateTeam',
  object: `team/${requestId}`,
  result: '200',
  before: { name: 'before' },
  after: { name: requestId },
});
