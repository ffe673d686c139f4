import { z } from 'zod';
import { FindingSeverity, IssueAutotriage, IssueSeverity } from '#domain/findings/shape.ts';
import { TriagePermission } from '#domain/products/shape.ts';
import { ProjectRef, ScmType } from '#domain/projects/shape.ts';
import { count, id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { ScaAttributes } from './dependency-shape.ts';
import {
  AGGREGATE_ISSUE_STATES,
  ISSUE_CONFIDENCES,
  ISSUE_STATUSES,
  ISSUE_TRIAGE_REASONS,
  IssueType,
  SECRET_VALIDATION_STATES,
} from './filter-shape.ts';

const texts = () => z.array(z.string());
export const AggregateIssueState = oneOf(AGGREGATE_ISSUE_STATES);
export const IssueTriageReason = oneOf(ISSUE_TRIAGE_REASONS);
export const IssueTriageState = oneOf([
  'FINDING_TRIAGE_STATE_UNTRIAGED',
  'FINDING_TRIAGE_STATE_IGNORED',
  'FINDING_TRIAGE_STATE_REOPENED',
  'FINDING_TRIAGE_STATE_UNKNOWN',
  'FINDING_TRIAGE_STATE_REVIEWING',
  'FINDING_TRIAGE_STATE_FIXING',
  'FINDING_TRIAGE_STATE_PROVISIONALLY_IGNORED',
]);
export const RuleOrigin = oneOf(['RULE_ORIGIN_CUSTOM', 'RULE_ORIGIN_COMMUNITY', 'RULE_ORIGIN_PRO_RULES']);
export const SupersededRules = z.array(
  z.object({ product: oneOf(['RULE_TYPE_SAST', 'RULE_TYPE_SCA', 'RULE_TYPE_SECRETS']), rulePath: z.string() }),
);
const EXCEPTION_SOURCES = [
  'FINDING_EXCEPTION_REQUEST_SOURCE_SCM_COMMENT',
  'FINDING_EXCEPTION_REQUEST_SOURCE_SERVICE_APPSEC_PLATFORM',
  'FINDING_EXCEPTION_REQUEST_SOURCE_API',
] as const;
export const ExceptionSource = oneOf(EXCEPTION_SOURCES);
export const IssueScan = z.object({ id: id('Scan'), meta: z.record(z.string(), z.unknown()) });
export const CodeSnippet = z.object({ path: z.string(), content: z.string() });

export const IssuePlace = z.object({
  kind: oneOf(['PLACE_KIND_ENDPOINT', 'PLACE_KIND_RESOURCE']),
  name: z.string(),
  /** Method and parameter of an endpoint, or the part of a resource. */
  part: z.string(),
});

export const CodePoint = z.object({ line: count(), col: count(), offset: count() });
export const DataflowSteps = z.array(
  z.object({
    path: z.string(),
    start: CodePoint,
    end: CodePoint,
    locationUrl: z.string(),
    content: z.string().optional(),
  }),
);
export const DataflowTrace = z.object({
  taintSource: DataflowSteps,
  intermediateVars: DataflowSteps,
  taintSink: DataflowSteps,
});

export const SecretsAttributes = z.object({
  validationState: oneOf(SECRET_VALIDATION_STATES),
  secretType: z.string(),
  historicalInfo: z.object({ gitCommit: z.string(), gitCommitTimestamp: timestamp(), gitBlob: z.string() }).optional(),
});

export const IssueHistoryEntry = z.object({
  date: timestamp(),
  title: z.string(),
  triageReason: z.string(),
  note: z.string(),
  actor: z.string(),
  historyType: oneOf([
    'HISTORY_TYPE_STATUS',
    'HISTORY_TYPE_TRIAGE',
    'HISTORY_TYPE_AUTOTRIAGE',
    'HISTORY_TYPE_AUTOTRIAGE_FEEDBACK',
    'HISTORY_TYPE_AI_TAG',
    'HISTORY_TYPE_ANALYSIS_STARTED',
    'HISTORY_TYPE_REVIEW_COMMENT_SILENCED',
    'HISTORY_TYPE_TICKET_CREATED',
    'HISTORY_TYPE_TICKET_ATTEMPTED',
    'HISTORY_TYPE_GUIDANCE_REGENERATION',
    'HISTORY_TYPE_SCM_MENTION',
    'HISTORY_TYPE_CLICK_TO_FIX_PR_REQUESTED',
    'HISTORY_TYPE_CLICK_TO_FIX_PR_OPENED',
    'HISTORY_TYPE_CLICK_TO_FIX_PR_FAILED',
    'HISTORY_TYPE_CLICK_TO_FIX_PR_MERGED',
    'HISTORY_TYPE_EXCEPTION_REQUEST_CREATED',
    'HISTORY_TYPE_EXCEPTION_REQUEST_APPROVED',
    'HISTORY_TYPE_EXCEPTION_REQUEST_REJECTED',
  ]),
  exceptionRequestDetails: z.object({ actionSource: ExceptionSource }).optional(),
});

export const IssueExceptionRequest = z.object({
  exceptionState: oneOf([
    'FINDING_EXCEPTION_REQUEST_STATE_REQUESTED',
    'FINDING_EXCEPTION_REQUEST_STATE_APPROVED',
    'FINDING_EXCEPTION_REQUEST_STATE_REJECTED',
  ]),
  requesterLogin: z.string(),
  requesterName: z.string(),
  requesterNote: z.string(),
  requesterTriageReason: IssueTriageReason.optional(),
  requesterActionSource: ExceptionSource,
  reviewerLogin: z.string(),
  reviewerName: z.string(),
  requestId: id('ExceptionRequest'),
  reviewId: z.string(),
  issueId: id('Finding'),
  createdAt: timestamp(),
  reviewedAt: timestamp().optional(),
});

export const IssueRemediation = z.object({
  issueId: id('Finding'),
  matchBasedId: z.string(),
  autofix: z
    .object({
      id: z.string(),
      fixCode: z.string(),
      fixDiff: z.string(),
      explanation: z.string(),
      url: z.string(),
    })
    .optional(),
  guidance: z
    .object({ id: z.string(), summary: z.string(), guidanceText: z.string(), memoryIdsUsed: texts() })
    .optional(),
});

export const IssueCodeowner = z.object({ id: z.string(), name: z.string(), isTeam: z.boolean() });
/** The member who deals with the issue. */
export const IssueAssignee = z.object({ id: id('User'), name: z.string(), email: z.string() });

const state = {
  id: id('Finding'),
  createdAt: timestamp(),
  ref: z.string(),
  syntacticId: z.string(),
  matchBasedId: z.string(),
  ruleId: z.string(),
  status: oneOf(ISSUE_STATUSES),
  repository: z.object({
    name: z.string(),
    id: id('Project'),
    type: ScmType,
    primaryRef: ProjectRef.optional(),
  }),
  firstSeenScan: IssueScan,
  triageState: IssueTriageState,
  triageReason: IssueTriageReason.optional(),
  relevantSince: timestamp(),
  aggregateState: AggregateIssueState,
  note: z.string(),
  externalTicket: z
    .object({ url: z.string(), externalSlug: z.string(), id: id('Ticket'), linkedIssueIds: z.array(id('Finding')) })
    .optional(),
  vulnGroupKey: z.string(),
  isBlocking: z.boolean(),
  assignee: IssueAssignee.optional(),
  autotriage: IssueAutotriage.optional(),
  aiTags: z
    .object({
      id: z.string(),
      path: z.string(),
      tags: z.string(),
      sensitivity: oneOf([
        'SENSITIVITY_HIGH_SENSITIVITY',
        'SENSITIVITY_LOW_SENSITIVITY',
        'SENSITIVITY_NEUTRAL_SENSITIVITY',
      ]),
    })
    .optional(),
};

const code = {
  lineOfCodeUrl: z.string(),
  codeSnippet: z.string(),
  dataflowTrace: DataflowTrace.optional(),
  commitUrl: z.string(),
  activityHistory: z.array(IssueHistoryEntry),
  relatedIssues: z.array(
    z.object({
      id: id('Finding'),
      ref: z.string(),
      pullRequestId: z.string(),
      aggregateState: AggregateIssueState,
      createdAt: timestamp(),
    }),
  ),
  remediation: IssueRemediation.optional(),
  lastSeenScan: IssueScan,
  /** The address or the name of the resource, where there is no file. */
  filePath: z.string(),
  place: IssuePlace.optional(),
  line: z.int(),
  endLine: z.int(),
  column: z.int(),
  endColumn: z.int(),
};

const rule = {
  severity: IssueSeverity,
  /** Includes info, which `severity` reports as low. */
  exactSeverity: FindingSeverity,
  message: z.string(),
  rulePath: z.string(),
  confidence: oneOf(ISSUE_CONFIDENCES),
  ruleUrl: z.string(),
  ruleReferences: texts(),
  ruleOrigin: RuleOrigin,
  ruleHashId: z.string(),
  ruleCweNames: texts(),
  ruleOwaspNames: texts(),
  ruleset: z.string(),
  policySlug: z.string(),
  category: z.string(),
  ruleSupersededBy: SupersededRules,
  issueType: IssueType,
  issueParentId: id('Finding'),
  ticketAttempts: z.array(z.object({ attemptedAt: timestamp(), responseMessage: z.string() })),
};

/** An issue of any product, as the caller sees it. */
export const Issue = z.object({
  ...state,
  ...code,
  ...rule,
  sastAttributes: z.object({}).optional(),
  scaAttributes: ScaAttributes.optional(),
  secretsAttributes: SecretsAttributes.optional(),
  subcategories: texts(),
  refUrl: z.string(),
  codeowners: z.array(IssueCodeowner.extend({ members: z.array(IssueCodeowner) })),
  codeSnippets: z.array(CodeSnippet),
  ruleExplanation: z.object({ id: z.string(), summary: z.string(), explanation: z.string() }).optional(),
  ruleDisplayName: z.string(),
  clickToFixPrUrl: z.string(),
  aiImpact: z.string(),
  aiExploitConditions: z.array(z.object({ description: z.string(), confirmed: z.boolean() })),
  clickToFixCommitMsg: z.string(),
  exceptionRequest: IssueExceptionRequest.optional(),
  clickToFixPrId: z.string(),
  triagePermission: TriagePermission,
  isArchived: z.boolean(),
  firstDetectedAt: timestamp().optional(),
});
export type Issue = z.output<typeof Issue>;
