import { z } from 'zod';
import {
  FindingSeverity,
  INVALID_QUERY,
  MAX_NOTE_LENGTH,
  TOO_MANY_FINDINGS,
  TRIAGE_REFUSED,
} from '#domain/findings/shape.ts';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { UNSUPPORTED_DECISION_FIELDS } from '#domain/workflow-issues/shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { FindingKindName } from '../all-findings/contract.ts';
import { includeWorkflowsField, issueQueryFields } from '../list/filter-shape.ts';
import { IssueTriageReason, IssueTriageState } from '../list/shape.ts';

const base = '/api/agent/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const facts = { maturity: 'experimental', path } as const;
const batchPath = { ...path, batchId: id('FindingBatch') };
const { filter, ...selection } = issueQueryFields;

const MAX_ASSIGNEE_LENGTH = 320;

/** A triage decision. */
export const TriageParams = z.object({
  triageState: IssueTriageState.optional(),
  triageReason: IssueTriageReason.optional(),
  note: z.string().max(MAX_NOTE_LENGTH).optional(),
  until: timestamp().optional(),
  /** `me`, `none`, an e-mail address or the id of a member. */
  assignee: z.string().min(1).max(MAX_ASSIGNEE_LENGTH).optional(),
});

export const bulkUpdateIssues = operation({
  ...facts,
  route: `PATCH ${base}/findings/v2`,
  summary: 'Triage issues',
  description:
    'Applies one decision to all issues that match; the filter must have at least one condition. Any state may ' +
    'follow any state, and repeating a decision changes nothing. If ignoring requires an approval, an exception is ' +
    'requested instead. `batchId` can be used to undo the update; `until` sets an expiry of the decision, and ' +
    '`assignee` who deals with the issues.',
  allow: 'issue:triage',
  isStrict: true,
  body: {
    ...selection,
    filter,
    params: TriageParams,
    snapshot: id('Snapshot').optional(),
  },
  reply: {
    issueParentCount: z.int(),
    issueCount: z.int(),
    updatedCount: z.int(),
    numIgnored: z.int(),
    numExceptionsRequested: z.int(),
    numSkipped: z.int(),
    batchId: id('FindingBatch').optional(),
  },
  faults: [INVALID_QUERY, TOO_MANY_FINDINGS, TRIAGE_REFUSED, VALIDATION_FAILED],
});

/** One of the most severe matches of a bulk update. */
export const BulkPreviewIssue = z.object({
  /** The id of an issue of `kind`; without a kind it is a finding. */
  issueId: id('Finding'),
  kind: FindingKindName.optional(),
  title: z.string(),
  severity: FindingSeverity,
});

export const startBulkUpdate = operation({
  ...facts,
  route: `POST ${base}/findings/v2:start`,
  summary: 'Start a bulk triage task',
  description:
    'Applies one decision to all issues that match, in a task without a limit on their number. Replies 202 with the ' +
    'batch, whose progress can be polled and which can be undone as a whole. Issues newer than `snapshot` are not ' +
    'changed. With `dryRun` nothing is changed: the reply is 200 with the number of matches, the projects with most ' +
    'of them and the most severe ones. With `includeWorkflows` workflow issues are included: `count` covers both ' +
    'kinds, `workflowCount` is the number of workflow issues, `elsewhereCount` the number of matches in none of ' +
    '`projects`, and the most severe matches have a `kind`. Workflow issues are triaged as by PublicIssuesService, ' +
    'without approvals, and store only a state and their own reasons: `notKeptByWorkflows` lists the members of ' +
    '`params` that they do not store, and without a `triageState` no workflow issue is selected.',
  status: 202,
  otherStatus: 200,
  allow: 'issue:triage',
  isExtension: true,
  isStrict: true,
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
    worst: z.array(BulkPreviewIssue).optional(),
    elsewhereCount: z.int().optional(),
    notKeptByWorkflows: z.array(oneOf(UNSUPPORTED_DECISION_FIELDS)).optional(),
    snapshot: id('Snapshot').optional(),
  },
  faults: [INVALID_QUERY, TRIAGE_REFUSED, TOO_MANY_TASKS, VALIDATION_FAILED],
});

export const getBatch = operation({
  ...facts,
  route: `GET ${base}/findings/batches/{batchId}`,
  summary: 'Get the progress of a batch',
  description:
    'Over both kinds, `done` counts issues that were changed or for which an exception was requested; `skipped` ' +
    'counts those that needed no change or no longer matched. A batch that failed, or was undone while it ran, ' +
    'keeps its changes so far and can be undone.',
  allow: 'issue:read',
  isExtension: true,
  path: batchPath,
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

export const undoBatch = operation({
  ...facts,
  route: `POST ${base}/findings/batches/{batchId}:undo`,
  summary: 'Undo a batch of decisions',
  description:
    'Restores what the batch changed, except for issues that were changed since; `skipped` counts those. The undo ' +
    'is a batch itself and can be undone.',
  allow: 'issue:triage',
  isExtension: true,
  path: batchPath,
  body: {},
  reply: { batchId: id('FindingBatch').optional(), undone: z.int(), skipped: z.int() },
});
