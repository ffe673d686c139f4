import { z } from 'zod';
import { FindingSeverity, MAX_NOTE_LENGTH, TRIAGE_REFUSED } from '#domain/findings/shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_MARKED_ISSUES = 1000;
export const MAX_INBOX_ITEMS = 200;

export const ALREADY_DECIDED = fault(
  'ALREADY_DECIDED',
  409,
  'The request was already {state} by {reviewer}.',
  'To change the outcome, triage the issue itself; `state`, `reviewer` and `reviewedAt` describe the decision.',
);

const base = '/api/v1/deployments/{deployment}';
const path = { deployment: deployment() };
const facts = { maturity: 'experimental', isExtension: true, path } as const;
const paged = { limit: limit(MAX_INBOX_ITEMS, 50), cursor: cursor() };

const issue = {
  issueId: id('Finding'),
  title: z.string(),
  severity: FindingSeverity,
  projectName: z.string(),
};

export const getInbox = operation({
  ...facts,
  route: `GET ${base}/inbox`,
  summary: 'Get the counts of the inbox',
  description:
    'Counts above 10000 are reported as 10000. `issueCount` is the number of issues among them, and `q` is the ' +
    'filter that lists exactly those: expiring items can also be tokens, failing items are scans, held closings and ' +
    'projects, and notices are notifications that the caller has not seen.',
  allow: 'issue:read',
  reply: {
    tabs: z.array(
      z.object({
        tab: oneOf(['REVIEW', 'ASSIGNED', 'APPROVALS', 'EXPIRING', 'FAILING', 'NOTICES']),
        count: z.int(),
        issueCount: z.int().optional(),
        q: z.string().optional(),
      }),
    ),
  },
});

export const InboxReviewItem = z.object({
  ...issue,
  type: oneOf(['ISSUE_TYPE_SAST', 'ISSUE_TYPE_SCA', 'ISSUE_TYPE_SECRETS', 'ISSUE_TYPE_AI_SAST']),
  path: z.string(),
  line: z.int(),
  ref: z.string(),
  firstSeenAt: timestamp(),
  isReopened: z.boolean(),
});

export const listReview = operation({
  ...facts,
  route: `GET ${base}/inbox/review`,
  summary: 'List issues to review',
  description:
    'Open issues that are new or were reopened within 30 days and that the caller has not marked as done; newest ' +
    'first.',
  allow: 'issue:read',
  query: paged,
  reply: { issues: z.array(InboxReviewItem), cursor: cursor() },
});

export const listAssigned = operation({
  ...facts,
  route: `GET ${base}/inbox/assigned`,
  summary: 'List issues that are assigned to the caller',
  description: 'Issues that are open, under review or to be fixed; newest first. API tokens have none.',
  allow: 'issue:read',
  query: paged,
  reply: { issues: z.array(InboxReviewItem), cursor: cursor() },
});

const issueIds = { issueIds: z.array(id('Finding')).min(1).max(MAX_MARKED_ISSUES) };

export const markDone = operation({
  ...facts,
  route: `POST ${base}/inbox:done`,
  summary: 'Mark issues as done',
  description:
    'Only for the caller. An issue that is reopened later is to be reviewed again. All issues are marked or none.',
  allow: 'notification:update',
  body: issueIds,
  reply: { count: z.int() },
  faults: [VALIDATION_FAILED],
});

export const markUndone = operation({
  ...facts,
  route: `POST ${base}/inbox:undone`,
  summary: 'Unmark issues as done',
  allow: 'notification:update',
  body: issueIds,
  reply: { count: z.int() },
  faults: [VALIDATION_FAILED],
});

export const ApprovalRequest = z.object({
  requestId: id('ExceptionRequest'),
  ...issue,
  requester: z.string(),
  reason: z.string(),
  note: z.string(),
  createdAt: timestamp(),
  until: timestamp().optional(),
  sameRuleApproved: z.int(),
  sameRuleAsked: z.int(),
});

export const listApprovals = operation({
  ...facts,
  route: `GET ${base}/inbox/approvals`,
  summary: 'List exception requests to approve',
  description:
    'Oldest first; empty for callers who may not approve. `sameRuleAsked` and `sameRuleApproved` count all and the ' +
    'approved requests for issues of the same rule.',
  allow: 'issue:read',
  query: paged,
  reply: { requests: z.array(ApprovalRequest), cursor: cursor() },
});

export const getExpiring = operation({
  ...facts,
  route: `GET ${base}/inbox/expiring`,
  summary: 'List decisions and tokens that expire within 14 days',
  description: 'Triage decisions, and tokens for callers who may list them; ordered by expiry, at most 200 each.',
  allow: 'issue:read',
  reply: {
    decisions: z.array(z.object({ ...issue, reason: z.string(), until: timestamp() })),
    tokens: z.array(z.object({ id: id('Token'), name: z.string(), expiresAt: timestamp() })),
  },
});

export const getFailing = operation({
  ...facts,
  route: `GET ${base}/inbox/failing`,
  summary: 'List failing scans, held closings and silent projects',
  description:
    'Failed scans of the last 30 days without a later successful scan of the same ref and tool, projects without a ' +
    'scan for 30 days, and for callers who may triage scans whose closings are held: they reported suspiciously ' +
    'little, so `count` findings stay open until the next full scan of the ref or a person confirms it. At most 200 ' +
    'each.',
  allow: 'issue:read',
  reply: {
    scans: z.array(
      z.object({
        scanId: id('Scan'),
        projectId: id('Project'),
        projectName: z.string(),
        ref: z.string(),
        at: timestamp(),
        reason: z.string(),
      }),
    ),
    projects: z.array(
      z.object({ projectId: id('Project'), projectName: z.string(), lastScanAt: timestamp().optional() }),
    ),
    heldClosings: z.array(
      z.object({
        scanId: id('Scan'),
        projectId: id('Project'),
        projectName: z.string(),
        ref: z.string(),
        at: timestamp(),
        count: z.int(),
      }),
    ),
  },
});

export const decideException = operation({
  ...facts,
  route: `POST ${base}/exceptions/{requestId}:decide`,
  summary: 'Approve or reject an exception request',
  description:
    'An approval ignores the issue for the requested reason, until `until` or the requested expiry. Of several ' +
    'concurrent decisions one wins; the others get 409 with its outcome.',
  allow: 'issue:triage',
  isStrict: true,
  path: { ...path, requestId: id('ExceptionRequest') },
  body: {
    isApproved: z.boolean(),
    note: z.string().max(MAX_NOTE_LENGTH).optional(),
    until: timestamp().optional(),
  },
  reply: {
    requestId: id('ExceptionRequest'),
    state: oneOf(['APPROVED', 'REJECTED']),
    batchId: id('FindingBatch').optional(),
  },
  faults: [ALREADY_DECIDED, TRIAGE_REFUSED, VALIDATION_FAILED],
});
