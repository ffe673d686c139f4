import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 50;

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
    'a status or an error code, or `success` or `refused` for all of them. `before` and `after` are keyed hashes of ' +
    'the state, which prove a change without showing it. `sequence` and `hash` are the position in the chain, which ' +
    'a record gets within seconds.',
  query: {
    limit: limit(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE),
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
    'Checks whether any of the newest 100,000 records of the chain was changed, removed or added. `firstBroken` is ' +
    'the first broken position in the chain, or the id of a record without one; `problem` describes it.',
  transaction: 'manual',
  reply: {
    verified: z.boolean(),
    records: z.int(),
    checkedAt: timestamp(),
    firstBroken: z.string().optional(),
    problem: z.string().optional(),
  },
});
