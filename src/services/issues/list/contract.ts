import { z } from 'zod';
import {
  INVALID_QUERY,
  MAX_NOTE_LENGTH,
  SortDirection,
  TOO_MANY_FINDINGS,
  TRIAGE_REFUSED,
} from '#domain/findings/shape.ts';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { pageSize } from '#kernel/contract/plain-fields.ts';
import { count, cursor, deployment, id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { EXPORT_COLUMNS, EXPORT_FORMATS } from '../export/shape.ts';
import { EpssScore } from './dependency-shape.ts';
import { includeWorkflowsField, issueQueryFields } from './filter-shape.ts';
import { CodeSnippet, Issue, IssueTriageReason, IssueTriageState, RuleOrigin, SupersededRules } from './shape.ts';

const MOST_OF_A_PAGE = 1000;
export const MAX_EXPORTED_ISSUES = 1_000_000;

export const SORT_NOT_SERVED = fault(
  'SORT_NOT_SERVED',
  400,
  'Lists of issues cannot be sorted by {sort}.',
  'Sort by SORT_BY_RELEVANT_SINCE or SORT_BY_SEVERITY, and filter by the rest.',
);

const base = '/api/agent/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const issuePath = { ...path, issueId: id('Finding') };
const facts = { maturity: 'experimental', path } as const;
const paged = { limit: pageSize({ fallback: 100, min: 1, max: MOST_OF_A_PAGE }), cursor: cursor() };
const sorted = {
  sortBy: oneOf([
    'SORT_BY_SEVERITY',
    'SORT_BY_REF',
    'SORT_BY_REPO',
    'SORT_BY_RULE',
    'SORT_BY_RELEVANT_SINCE',
    'SORT_BY_STATE',
  ]).optional(),
  sortDirection: SortDirection.optional(),
};
const included = {
  includeRemediation: z.boolean().optional(),
  includeActivityHistory: z.boolean().optional(),
  includeIsArchived: z.boolean().optional(),
  includeFirstDetectedAt: z.boolean().optional(),
};
const { filter: _, ...question } = issueQueryFields;
const { filter } = issueQueryFields;

export const IssueListItem = z.object({
  issue: Issue,
  reviewCount: count(),
  triageCount: count(),
  allRefs: z.array(z.string()),
  aiSilencedCount: count(),
  allReviewThreadIds: z.array(z.string()),
  allReviewComments: z.array(z.object({ isInline: z.boolean(), threadId: z.string() })),
});

export const listIssues = operation({
  ...facts,
  route: `POST ${base}/issues`,
  summary: 'List issues',
  description:
    'Issues of all products as their primary ref has them, or as the refs of the filter do; the most recently ' +
    'relevant first. What left the scope of scans is shown only when asked for. `q` narrows further by the grammar ' +
    'of the filter bar; `snapshot` can be handed to a bulk update, which then leaves alone what came later.',
  allow: 'issue:read',
  body: { ...question, ...sorted, ...paged, filter, ...included },
  reply: { issues: z.array(IssueListItem), cursor: cursor(), snapshot: id('Snapshot') },
  faults: [INVALID_QUERY, SORT_NOT_SERVED],
});

export const exportIssues = operation({
  ...facts,
  route: `POST ${base}/issues/export`,
  summary: 'Export issues',
  description:
    'Starts a task that writes the issues of the filter into a file of comma-separated values, or of another ' +
    '`format`; ask TasksService for the link to it. `columns` chooses the columns of comma-separated values and ' +
    'their order. SARIF can be handed in again, with all that we know a finding by. `limit` bounds the number of ' +
    'issues; an export has no pages, so `cursor` is passed over. With `includeWorkflows` the file has what Agentic ' +
    'Workflows found too, in the same order; in SARIF as a run of its own.',
  status: 202,
  allow: 'export:create',
  body: {
    ...question,
    ...sorted,
    limit: z.int().min(1).max(MAX_EXPORTED_ISSUES).optional(),
    cursor: z.string().max(4096).optional(),
    filter,
    ...included,
    format: oneOf(EXPORT_FORMATS).optional(),
    columns: z.array(z.string().max(64)).min(1).max(EXPORT_COLUMNS.length).optional(),
    ...includeWorkflowsField,
  },
  reply: { taskTokenJwt: z.string() },
  faults: [INVALID_QUERY, SORT_NOT_SERVED, TOO_MANY_TASKS, VALIDATION_FAILED],
});

export const getIssueCounts = operation({
  ...facts,
  route: `POST ${base}/issue_counts`,
  summary: 'Count issues by their state',
  description:
    'A `tab` of the filter is passed over, so that one answer has the numbers of all tabs. With `includeWorkflows` ' +
    'what Agentic Workflows found is counted too.',
  allow: 'issue:read',
  body: { ...question, filter, ...includeWorkflowsField },
  reply: {
    open: count(),
    ignored: count(),
    ignoredFalsePositive: count(),
    ignoredAcceptableRisk: count(),
    ignoredNoTime: count(),
    ignoredNoTriageReason: count(),
    closed: count(),
    reviewing: count(),
    fixing: count(),
    provisionallyIgnored: count(),
    ignoredDuplicate: count(),
    ignoredCode: count(),
    archived: count(),
  },
  faults: [INVALID_QUERY],
});

const texts = () => z.array(z.string());

export const getIssueFilters = operation({
  ...facts,
  route: `POST ${base}/issue_filters`,
  summary: 'Get what issues can be filtered by',
  description: 'Only values that issues of the filter have, at most 1000 of each kind.',
  allow: 'issue:read',
  body: { ...question, filter },
  reply: {
    repoNames: texts(),
    repoTags: texts(),
    refs: texts(),
    repoRefGroups: z.array(
      z.object({
        repoName: z.string(),
        repoRefs: z.array(z.object({ id: id('Ref'), refName: z.string(), isPrimary: z.boolean() })),
        hasPrimaryRef: z.boolean(),
      }),
    ),
    rulesetNames: texts(),
    ruleNames: texts(),
    categories: texts(),
    teamNames: texts(),
    secretTypes: texts(),
    rules: z.array(z.object({ id: z.string(), name: z.string(), scaCve: z.string(), scaGhsa: z.string() })),
    repos: z.array(z.object({ id: id('Project'), name: z.string() })),
    tags: z.array(z.object({ id: id('Tag'), name: z.string() })),
  },
  faults: [INVALID_QUERY],
});

export const IssueGroup = z.object({
  issuesCount: count(),
  ruleId: z.string(),
  ruleShaSum: z.string(),
  ruleVisibility: oneOf([
    'RULE_VISIBILITY_UNLISTED',
    'RULE_VISIBILITY_PUBLIC',
    'RULE_VISIBILITY_ORG_PRIVATE',
    'RULE_VISIBILITY_LOGGED_IN',
    'RULE_VISIBILITY_TEAM_TIER',
  ]).optional(),
  ruleMeta: z.object({
    author: z.string(),
    authorPhotoUrl: z.string(),
    rule: z.object({ ruleId: z.string(), ruleVersionId: z.string(), origin: RuleOrigin }),
  }),
  ruleLastChangeAt: timestamp().optional(),
  ruleLastChangeBy: z.string(),
  rulePath: z.string(),
  ruleSourceUri: z.string(),
  ruleTestCases: z.array(z.object({ target: z.string(), language: z.string() })),
  ruleDefinition: z.record(z.string(), z.unknown()).optional(),
  ruleDeploymentName: z.string(),
  ruleSupersededBy: SupersededRules,
  sastAttributes: z.object({}).optional(),
  scaAttributes: z.object({ epssScore: EpssScore.optional() }).optional(),
  secretsAttributes: z.object({}).optional(),
});

export const listIssueGroups = operation({
  ...facts,
  route: `POST ${base}/issues/search`,
  summary: 'List issues grouped by their rule',
  description: 'The rules with most issues first, or those with the worst. `total` is the number of groups.',
  allow: 'issue:read',
  body: {
    ...question,
    groupBy: oneOf(['GROUP_BY_RULE']).optional(),
    ...paged,
    filter,
    sortBy: oneOf(['SORT_BY_ISSUE_COUNTS', 'SORT_BY_SEVERITY']).optional(),
    sortDirection: SortDirection.optional(),
  },
  reply: { groups: z.array(IssueGroup), cursor: cursor(), total: count(), fetched: count() },
  faults: [INVALID_QUERY],
});

export const getIssue = operation({
  ...facts,
  route: `GET ${base}/issues/v2/{issueId}`,
  summary: 'Get an issue',
  description: 'By its own id, or by the id of its detection on a ref, whose state and place are then shown.',
  allow: 'issue:read',
  path: issuePath,
  query: { includeCodeSnippet: z.boolean().default(false), includeIsArchived: z.boolean().default(false) },
  reply: Issue.shape,
  isVersioned: true,
});

export const getIssueCodeSnippets = operation({
  ...facts,
  route: `GET ${base}/issues/v2/{issueId}/code-snippets`,
  summary: 'Get the code of an issue',
  description: 'What the scanner sent of it; nothing where it sent none.',
  allow: 'issue:read',
  path: issuePath,
  reply: { codeSnippets: z.array(CodeSnippet) },
});

/** What is decided. */
export const TriageParams = z.object({
  triageState: IssueTriageState.optional(),
  triageReason: IssueTriageReason.optional(),
  note: z.string().max(MAX_NOTE_LENGTH).optional(),
  until: timestamp().optional(),
});

export const bulkUpdateIssues = operation({
  ...facts,
  route: `PATCH ${base}/findings/v2`,
  summary: 'Triage issues',
  description:
    'Decides about all issues of a filter at once; the filter must name something. Any state may follow any state; ' +
    'the same decision again changes nothing. Where ignoring needs an approval, it is asked for. `batchId` undoes ' +
    'what was changed; `until` ends the decision by itself.',
  allow: 'issue:triage',
  body: {
    ...question,
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

export const undoBatch = operation({
  ...facts,
  route: `POST ${base}/findings/batches/{batchId}:undo`,
  summary: 'Undo a batch of decisions',
  description:
    'Puts back what the batch changed, where nothing newer changed it; `skipped` says how often that was so. The ' +
    'undo is a batch of its own.',
  allow: 'issue:triage',
  isExtension: true,
  path: { ...path, batchId: id('FindingBatch') },
  body: {},
  reply: { batchId: id('FindingBatch').optional(), undone: z.int(), skipped: z.int() },
});
