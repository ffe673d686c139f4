import { z } from 'zod';
import { ISSUE_SEVERITIES, IssueAutotriage, IssueSeverity } from '#domain/findings/shape.ts';
import { PolicyMode } from '#domain/policies/shape.ts';
import { ScmType } from '#domain/projects/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

const MAX_FILTER_VALUES = 500;

const VALIDATION_STATES = [
  'VALIDATION_STATE_CONFIRMED_VALID',
  'VALIDATION_STATE_CONFIRMED_INVALID',
  'VALIDATION_STATE_VALIDATION_ERROR',
  'VALIDATION_STATE_NO_VALIDATOR',
] as const;
const STATUSES = [
  'FINDING_STATUS_OPEN',
  'FINDING_STATUS_IGNORED',
  'FINDING_STATUS_FIXED',
  'FINDING_STATUS_REMOVED',
  'FINDING_STATUS_UNKNOWN',
  'FINDING_STATUS_PROVISIONALLY_IGNORED',
] as const;

export const V1SecretsFinding = z.object({
  id: id('Finding'),
  type: z.string(),
  ruleHashId: z.string(),
  confidence: oneOf(['CONFIDENCE_HIGH', 'CONFIDENCE_MEDIUM', 'CONFIDENCE_LOW']),
  severity: IssueSeverity,
  status: oneOf(STATUSES),
  validationState: oneOf(VALIDATION_STATES),
  mode: PolicyMode,
  findingPath: z.string(),
  findingPathUrl: z.string(),
  ref: z.string(),
  refUrl: z.string(),
  repository: z.object({
    name: z.string(),
    url: z.string(),
    visibility: oneOf([
      'REPOSITORY_VISIBILITY_PUBLIC',
      'REPOSITORY_VISIBILITY_PRIVATE',
      'REPOSITORY_VISIBILITY_UNKNOWN',
    ]),
    scmType: ScmType,
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  externalTicket: z
    .object({ id: id('Ticket'), externalSlug: z.string(), url: z.string(), linkedIssueIds: z.array(id('Finding')) })
    .optional(),
  reviewComments: z.array(z.object({ externalDiscussionId: z.string(), externalNoteId: z.string() })),
  historicalInfo: z.object({ gitCommit: z.string(), gitBlob: z.string(), gitCommitTimestamp: timestamp() }).optional(),
  autotriage: IssueAutotriage.optional(),
});

export const listSecretsPath = operation({
  route: 'GET /api/v1/deployments/{deploymentId}/secrets',
  summary: 'List secrets findings',
  description:
    'Leaked credentials, most recently relevant first. Removed findings are listed only with ' +
    '`FINDING_STATUS_REMOVED`; `FINDING_STATUS_OPEN` includes findings in state reviewing or fixing.',
  maturity: 'experimental',
  allow: 'issue:read',
  path: { deploymentId: deployment() },
  query: {
    cursor: cursor(),
    limit: limit(),
    since: timestamp().optional(),
    validationState: z
      .array(oneOf([...VALIDATION_STATES, 'VALIDATION_STATE_UNSPECIFIED']))
      .max(MAX_FILTER_VALUES)
      .optional(),
    status: oneOf([...STATUSES, 'FINDING_STATUS_UNSPECIFIED']).optional(),
    severity: z
      .array(oneOf([...ISSUE_SEVERITIES, 'SEVERITY_UNSPECIFIED']))
      .max(MAX_FILTER_VALUES)
      .optional(),
    repo: z.array(z.string().min(1).max(1024)).max(MAX_FILTER_VALUES).optional(),
  },
  reply: { findings: z.array(V1SecretsFinding), cursor: cursor(), previous: z.string() },
});
