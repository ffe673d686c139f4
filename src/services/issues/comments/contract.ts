import { z } from 'zod';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_COMMENTS = 1000;
const MAX_COMMENT_LENGTH = 10_000;
const MAX_COMMENTS_PER_PAGE = 200;

export const COMMENT_QUOTA = fault(
  'COMMENT_QUOTA',
  409,
  'An issue can have at most {most} comments.',
  'Delete comments that are no longer needed.',
);

const base = '/api/agent/deployments/{deploymentId}/issues/v2/{issueId}/comments';
const path = { deploymentId: deployment(), issueId: id('Finding') };
const ownPath = { deploymentId: deployment(), commentId: id('FindingComment') };
const own = '/api/agent/deployments/{deploymentId}/issues/comments/{commentId}';
const facts = { maturity: 'experimental', isExtension: true } as const;

export const IssueComment = z.object({
  id: id('FindingComment'),
  author: z.string(),
  /** Whether the caller wrote it, and so may change it. */
  isOwn: z.boolean(),
  text: z.string(),
  createdAt: timestamp(),
  editedAt: timestamp().optional(),
});

const text = z.string().trim().min(1).max(MAX_COMMENT_LENGTH);

export const listIssueComments = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'List the comments of an issue',
  description: 'Oldest first.',
  allow: 'issue:read',
  path,
  query: { limit: limit(MAX_COMMENTS_PER_PAGE, 50), cursor: cursor() },
  reply: { comments: z.array(IssueComment), cursor: cursor() },
});

export const createIssueComment = operation({
  ...facts,
  route: `POST ${base}`,
  summary: 'Comment on an issue',
  description:
    'The text is Markdown. Members whose e-mail address it mentions, as in `@ada@example.com`, are notified; the ' +
    'notification does not say what the issue is about.',
  allow: 'issue:triage',
  isStrict: true,
  path,
  body: { text },
  reply: { comment: IssueComment },
  faults: [COMMENT_QUOTA],
});

export const updateIssueComment = operation({
  ...facts,
  route: `PATCH ${own}`,
  summary: 'Change a comment of your own',
  description: 'Members whom only the new text mentions are notified.',
  allow: 'issue:triage',
  isStrict: true,
  path: ownPath,
  body: { text },
  reply: { comment: IssueComment },
  faults: [NOT_FOUND],
});

export const deleteIssueComment = operation({
  ...facts,
  route: `DELETE ${own}`,
  summary: 'Delete a comment of your own',
  allow: 'issue:triage',
  path: ownPath,
  reply: {},
  faults: [NOT_FOUND],
});
