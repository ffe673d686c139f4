import { z } from 'zod';
import { FindingSeverity, SortDirection } from '#domain/findings/shape.ts';
import {
  DETECTION_STATES,
  DetectionState,
  WORKFLOW_SEVERITIES,
  WORKFLOW_TRIAGE_REASONS,
  WORKFLOW_TRIAGE_STATES,
  WorkflowIssue,
  WorkflowIssueIds,
  WorkflowIssueMembers,
  WorkflowTriageReason,
  WorkflowTriageState,
} from '#domain/workflow-issues/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import {
  asNumber,
  count,
  cursor,
  deployment,
  id,
  limit,
  name,
  oneOf,
  timestamp,
} from '#kernel/contract/proto-fields.ts';

export const MAX_WORKFLOW_FILTER_VALUES = 500;
export const MAX_REPORTED_ISSUES = 500;
export const MAX_REPORTED_ITEMS = 100;

export const REPORT_REFUSED = fault(
  'REPORT_REFUSED',
  400,
  'The report has {count}: {first}',
  'Correct each entry listed in `errors`; nothing was changed.',
);

/** The changed members and the ids. */
export const WorkflowIssueValues = z.object({ ...WorkflowIssueIds, ...z.object(WorkflowIssueMembers).partial().shape });

export const WorkflowIssueActivity = z.object({
  id: id('Activity'),
  deploymentId: id('Deployment'),
  issueId: id('Issue'),
  oldValues: WorkflowIssueValues,
  newValues: WorkflowIssueValues,
  changedFields: z.string(),
  reason: z.string(),
  actorType: oneOf(['ACTOR_TYPE_SERVICE', 'ACTOR_TYPE_USER']),
  actorId: z.string(),
  createdAt: timestamp(),
});
export type WorkflowIssueActivity = z.output<typeof WorkflowIssueActivity>;

const filterList = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(schema).max(MAX_WORKFLOW_FILTER_VALUES).optional();
const filterTexts = () => filterList(z.string().max(1024));
const query = () => z.string().max(512).optional();
const range = () => z.object({ startAt: timestamp().optional(), endAt: timestamp().optional() }).optional();

export const WorkflowIssueFilter = z.object({
  ids: filterList(id('Issue')),
  titleQuery: query(),
  descriptionQuery: query(),
  reasoningQuery: query(),
  detectionStates: filterList(oneOf([...DETECTION_STATES, 'DETECTION_STATE_UNSPECIFIED'])),
  severities: filterList(oneOf([...WORKFLOW_SEVERITIES, 'SEVERITY_UNSPECIFIED'])),
  triageStates: filterList(oneOf([...WORKFLOW_TRIAGE_STATES, 'TRIAGE_STATE_UNSPECIFIED'])),
  triageReasons: filterList(oneOf([...WORKFLOW_TRIAGE_REASONS, 'TRIAGE_REASON_UNSPECIFIED'])),
  actions: filterTexts(),
  workflowIds: filterTexts(),
  identities: filterTexts(),
  triggerSources: filterTexts(),
  projectIds: filterList(id('Project')),
  refIds: filterTexts(),
  filePathQuery: query(),
  createdAt: range(),
  lastDetectedAt: range(),
  triagedAt: range(),
  workflowJobIds: filterTexts(),
});
export type WorkflowIssueFilter = z.output<typeof WorkflowIssueFilter>;

export const WorkflowIssueSortField = oneOf([
  'ISSUE_SORT_FIELD_SEVERITY',
  'ISSUE_SORT_FIELD_LAST_DETECTED_AT',
  'ISSUE_SORT_FIELD_CREATED_AT',
  'ISSUE_SORT_FIELD_FILE_PATH',
]);
export type WorkflowIssueSortField = z.output<typeof WorkflowIssueSortField>;

const items = () => z.array(z.string().min(1).max(1024)).max(MAX_REPORTED_ITEMS).optional();

export const ReportedWorkflowIssue = z.object({
  identity: name(512),
  title: name(512),
  description: z.string().max(20_000).optional(),
  reasoning: z.string().max(20_000).optional(),
  severity: FindingSeverity.optional(),
  detectionState: DetectionState.optional(),
  projectId: id('Project').optional(),
  refId: z.string().max(1024).optional(),
  filePaths: items(),
  dependencyPaths: items(),
  directDependencies: items(),
  domains: items(),
  cwes: items(),
  owasps: items(),
  actions: items(),
});

const base = '/api/issues/{deploymentId}';
const path = { deploymentId: deployment() };
const issuePath = { ...path, issueId: id('Issue') };
/** Existing clients repeat the deployment in the body: it must equal the one in the path. */
const repeated = { deploymentId: z.string().max(64).optional() };

export const searchIssues = operation({
  route: `POST ${base}/search`,
  summary: 'Search the issues of Agentic Workflows',
  description:
    'Members of `filters` are joined by AND, the values of one member by OR. Members that end in `Query` match ' +
    'substrings, ignoring case. Periods include their start and exclude their end.',
  maturity: 'experimental',
  allow: 'issue:read',
  path,
  body: {
    ...repeated,
    filters: WorkflowIssueFilter.optional(),
    sortField: WorkflowIssueSortField.optional(),
    sortDirection: SortDirection.optional(),
    limit: asNumber(limit()),
    cursor: cursor(),
  },
  reply: { issues: z.array(WorkflowIssue), total: count(), cursor: cursor() },
});

export const countIssues = operation({
  route: `POST ${base}/counts`,
  summary: 'Count the issues of Agentic Workflows',
  maturity: 'experimental',
  allow: 'issue:read',
  path,
  body: { ...repeated, filters: WorkflowIssueFilter.optional() },
  reply: { count: count() },
});

export const getIssue = operation({
  route: `GET ${base}/issue/{issueId}`,
  summary: 'Get an issue',
  maturity: 'experimental',
  allow: 'issue:read',
  path: issuePath,
  reply: { data: WorkflowIssue },
  isVersioned: true,
});

export const triageIssue = operation({
  route: `POST ${base}/issue/{issueId}`,
  summary: 'Triage issue',
  description:
    'Sets the triage state and the reason of an issue; any state may follow any state. A reason is stored only with ' +
    '`TRIAGE_STATE_IGNORED`. Repeating a decision changes nothing.',
  maturity: 'experimental',
  allow: 'issue:triage',
  isStrict: true,
  path: issuePath,
  body: {
    ...repeated,
    issueId: id('Issue').optional(),
    triageState: WorkflowTriageState,
    triageReason: WorkflowTriageReason.optional(),
  },
  reply: { data: WorkflowIssue },
  isVersioned: true,
});

export const getIssueActivityHistory = operation({
  route: `GET ${base}/issue/{issueId}/activity`,
  summary: 'List the activity of an issue',
  description: 'Newest first. `oldValues` and `newValues` have the changed members.',
  maturity: 'experimental',
  allow: 'issue:read',
  path: issuePath,
  query: { limit: limit(), cursor: cursor() },
  reply: { history: z.array(WorkflowIssueActivity), cursor: cursor() },
});

export const reportIssues = operation({
  route: `POST ${base}/report`,
  summary: 'Report issues of an Agentic Workflow',
  description:
    'A new identity creates an issue; a known identity updates it and never changes its triage. Workflows, jobs, ' +
    'triggers, projects and refs are collected over time; other members are replaced if given.',
  maturity: 'experimental',
  allow: 'issue:report',
  isExtension: true,
  isStrict: true,
  path,
  body: {
    workflowId: name(256),
    workflowJobId: z.string().max(256).optional(),
    triggerSource: z.string().max(256).optional(),
    issues: z.array(ReportedWorkflowIssue).min(1).max(MAX_REPORTED_ISSUES),
  },
  reply: { created: z.int(), updated: z.int(), issues: z.array(WorkflowIssue) },
  faults: [REPORT_REFUSED],
});
