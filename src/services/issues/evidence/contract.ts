import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { count, deployment, id, timestamp } from '#kernel/contract/proto-fields.ts';
import { AggregateIssueState } from '../list/shape.ts';

export const EvidenceSighting = z.object({
  at: timestamp(),
  scanId: id('Scan'),
  commit: z.string(),
  ref: z.string(),
  by: z.string(),
});
export const EvidenceLocation = z.object({ path: z.string(), line: z.int() });
const details = z.record(z.string(), z.unknown());

export const EvidenceRef = z.object({
  refId: id('Ref'),
  ref: z.string(),
  isPrimary: z.boolean(),
  status: AggregateIssueState,
  path: z.string(),
  line: z.int(),
  firstSeenAt: timestamp(),
  lastSeenAt: timestamp(),
});

export const EvidenceMatch = z.object({
  at: timestamp(),
  scanId: id('Scan'),
  tier: z.string(),
  sentence: z.string(),
  from: EvidenceLocation.optional(),
  to: EvidenceLocation.optional(),
});

export const EvidenceEvent = z.object({
  id: z.string(),
  at: timestamp(),
  kind: z.string(),
  by: z.string(),
  batchId: id('FindingBatch'),
  canUndo: z.boolean(),
  before: details,
  after: details,
  note: z.string(),
});

export const getIssueEvidence = operation({
  route: 'GET /api/agent/deployments/{deploymentId}/issues/v2/{issueId}/evidence',
  summary: 'Get the evidence of an issue',
  description:
    'Returns the first and the last sighting, the state on each ref, why later results were matched to the finding ' +
    '(newest first, at most 100), its events (newest first, at most 200), statistics of other issues of the same ' +
    'rule, and possible duplicates.',
  maturity: 'experimental',
  allow: 'issue:read',
  isExtension: true,
  path: { deploymentId: deployment(), issueId: id('Finding') },
  reply: {
    firstSeen: EvidenceSighting,
    lastSeen: EvidenceSighting,
    refs: z.array(EvidenceRef),
    matches: z.array(EvidenceMatch),
    events: z.array(EvidenceEvent),
    sameRule: z.object({ open: count(), fixed: count(), ignored: count(), falsePositive: count(), q: z.string() }),
    suggestions: z.array(z.object({ issueId: id('Finding'), sentence: z.string() })),
  },
});
export type IssueEvidence = z.output<typeof getIssueEvidence.reply>;
