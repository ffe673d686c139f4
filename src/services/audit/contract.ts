import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

const MOST = 200;
const USUAL = 50;

const base = '/api/audit/v1/deployments/{deploymentId}';
const facts = {
  maturity: 'experimental',
  allow: 'audit:read',
  isExtension: true,
  path: { deploymentId: deployment() },
} as const;
const text = () => z.string().max(256).optional();

export const AuditRecord = z.object({
  id: id('AuditRecord'),
  at: timestamp(),
  actor: z.object({ kind: oneOf(['user', 'token', 'nobody']), id: z.string(), name: z.string() }),
  operation: z.string(),
  outcome: z.string(),
  object: z.object({ kind: z.string(), id: z.string() }),
  before: z.string().optional(),
  after: z.string().optional(),
  requestId: z.string(),
  address: z.string(),
  sequence: z.int().optional(),
  hash: z.string().optional(),
});

export const listAuditRecords = operation({
  ...facts,
  route: `GET ${base}/records`,
  summary: 'List audit records',
  description:
    'Newest first. `actor` is the id of a user, an e-mail address, or `token:` and the id of a token; `outcome` is ' +
    'a status or a code of an error, or `success` or `refused` for all of a kind. `before` and `after` are keyed ' +
    'hashes of what was there, which prove a change and do not show it. `sequence` and `hash` are the place in the ' +
    'chain, which a record gets within seconds.',
  query: {
    limit: limit(MOST, USUAL),
    cursor: cursor(),
    actor: text(),
    operation: text(),
    outcome: text(),
    objectKind: text(),
    objectId: text(),
    since: timestamp().optional(),
    until: timestamp().optional(),
  },
  reply: { records: z.array(AuditRecord), cursor: cursor() },
});

export const verifyAuditTrail = operation({
  ...facts,
  route: `GET ${base}/verification`,
  summary: 'Verify the audit trail',
  description:
    'Reads the newest 100,000 records of the chain and says whether any was changed, removed or added. `firstBroken` ' +
    'is the place in the chain where that shows first, or the id of a record that has none; `problem` says what it is.',
  isOutbound: true,
  reply: {
    verified: z.boolean(),
    records: z.int(),
    checkedAt: timestamp(),
    firstBroken: z.string().optional(),
    problem: z.string().optional(),
  },
});
