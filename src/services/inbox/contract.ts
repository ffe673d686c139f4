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
  'The request was {state} by {reviewer} before.',
  'Decide about the issue itself where you think otherwise; `state`, `reviewer` and `reviewedAt` say what was decided.',
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
  summary: 'Get how much waits for you',
  description:
    'Numbers above 10000 are shown as 10000. Of the number, `issueCount` are issues, and `q` is a filter whose list ' +
    'has just those: what expires may also be a token, and what fails is a scan or a project.',
  allow: 'issue:read',
  reply: {
    tabs: z.array(
      z.object({
        tab: oneOf(['REVIEW', 'APPROVALS', 'EXPIRING', 'FAILING']),
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
  summary: 'List the issues that you have not looked at',
  description: 'Open ones that are new or came back within 30 days and that you have not marked as done; newest first.',
  allow: 'issue:read',
  query: paged,
  reply: { issues: z.array(InboxReviewItem), cursor: cursor() },
});

const issueIds = { issueIds: z.array(id('Finding')).min(1).max(MAX_MARKED_ISSUES) };

export const markDone = operation({
  ...facts,
  route: `POST ${base}/inbox:done`,
  summary: 'Mark issues as done with',
  description:
    'Only for you. One that comes back after it was fixed is to be looked at again. All are marked, or none.',
  allow: 'notification:update',
  body: issueIds,
  reply: { count: z.int() },
  faults: [VALIDATION_FAILED],
});

export const markUndone = operation({
  ...facts,
  route: `POST ${base}/inbox:undone`,
  summary: 'Take back that you are done with issues',
  allow: 'notification:update',
  body: issueIds,
  reply: { count: z.int() },
  faults: [VALIDATION_FAILED],
});

export const InboxExceptionRequest = z.object({
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
  summary: 'List the exceptions that you are asked to approve',
  description:
    'The oldest first; nothing for those who may not decide. Of all requests for issues of the same rule, ' +
    '`sameRuleAsked` is how many there were and `sameRuleApproved` how many were approved.',
  allow: 'issue:read',
  query: paged,
  reply: { requests: z.array(InboxExceptionRequest), cursor: cursor() },
});

export const getExpiring = operation({
  ...facts,
  route: `GET ${base}/inbox/expiring`,
  summary: 'Get what ends within 14 days',
  description:
    'Decisions about issues, and tokens for those who may see them; the next to end first, at most 200 each.',
  allow: 'issue:read',
  reply: {
    decisions: z.array(z.object({ ...issue, reason: z.string(), until: timestamp() })),
    tokens: z.array(z.object({ id: id('Token'), name: z.string(), expiresAt: timestamp() })),
  },
});

export const getFailing = operation({
  ...facts,
  route: `GET ${base}/inbox/failing`,
  summary: 'Get which scans fail and which projects are silent',
  description:
    'Scans of the last 30 days that failed and that none of the same ref and tool has followed, and projects that ' +
    'have not been scanned for 30 days; at most 200 each.',
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
  },
});

export const decideException = operation({
  ...facts,
  route: `POST ${base}/exceptions/{requestId}:decide`,
  summary: 'Answer a request for an exception',
  description:
    'Approved, the issue is ignored for the reason that was asked for, until `until` or until what was asked for. ' +
    'Of several who answer at once one decides; the others get 409 with what was decided.',
  allow: 'issue:triage',
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
