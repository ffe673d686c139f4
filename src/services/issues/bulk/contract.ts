import { z } from 'zod';
import { FindingSeverity, INVALID_QUERY, TRIAGE_REFUSED } from '#domain/findings/shape.ts';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { UNSUPPORTED_DECISION_FIELDS } from '#domain/workflow-issues/shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { FindingKindName } from '../all-findings/contract.ts';
import { TriageParams } from '../list/contract.ts';
import { includeWorkflowsField, issueQueryFields } from '../list/filter-shape.ts';

const base = '/api/agent/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const facts = { maturity: 'experimental', isExtension: true } as const;

export const MostSevereFinding = z.object({
  /** Of an issue of the kind that is named; without one it is of a scanner. */
  issueId: id('Finding'),
  kind: FindingKindName.optional(),
  title: z.string(),
  severity: FindingSeverity,
});

export const startBulkUpdate = operation({
  ...facts,
  route: `POST ${base}/findings/v2:start`,
  summary: 'Start to triage many issues',
  description:
    'Decides about all issues of a filter, however many, in a task: 202 with the batch, whose progress can be asked ' +
    'for and which is undone as one. What came later than `snapshot` is left alone. With `dryRun` nothing is ' +
    'changed: 200 says how many issues are meant, in which projects most of them are, and the worst. With ' +
    '`includeWorkflows` what Agentic Workflows found is among them: `count` is of both kinds, `workflowCount` says ' +
    'how many of those workflows found, `elsewhereCount` how many are in none of `projects`, and the worst say their ' +
    'kind. A workflow issue is decided as PublicIssuesService does it, without an approval, and keeps only a state ' +
    'and one of its reasons: `notKeptByWorkflows` names the members of `params` that it does not keep, and without a ' +
    '`triageState` none of them is among what is meant.',
  status: 202,
  otherStatus: 200,
  allow: 'issue:triage',
  path,
  body: {
    ...issueQueryFields,
    ...includeWorkflowsField,
    params: TriageParams,
    snapshot: id('Snapshot'),
    dryRun: z.boolean().optional(),
  },
  reply: {
    taskTokenJwt: z.string().optional(),
    batchId: id('FindingBatch').optional(),
    count: z.int().optional(),
    workflowCount: z.int().optional(),
    projects: z.array(z.object({ name: z.string(), count: z.int() })).optional(),
    worst: z.array(MostSevereFinding).optional(),
    elsewhereCount: z.int().optional(),
    notKeptByWorkflows: z.array(oneOf(UNSUPPORTED_DECISION_FIELDS)).optional(),
    snapshot: id('Snapshot').optional(),
  },
  faults: [INVALID_QUERY, TRIAGE_REFUSED, TOO_MANY_TASKS, VALIDATION_FAILED],
});

export const getBatch = operation({
  ...facts,
  route: `GET ${base}/findings/batches/{batchId}`,
  summary: 'Get how a batch of decisions goes',
  description:
    'Of all kinds of issues that it is about, `done` were changed or asked for; `skipped` needed no change or no ' +
    'longer matched. A batch that failed, or was undone while it ran, keeps what it did until then, and can be undone.',
  allow: 'issue:read',
  path: { ...path, batchId: id('FindingBatch') },
  reply: {
    batchId: id('FindingBatch'),
    state: oneOf(['RUNNING', 'DONE', 'FAILED']),
    total: z.int(),
    done: z.int(),
    skipped: z.int(),
    startedAt: timestamp(),
    endedAt: timestamp().optional(),
    by: z.string(),
  },
});
