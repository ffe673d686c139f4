import { z } from 'zod';
import { INVALID_QUERY, SortDirection } from '#domain/findings/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { pageSize } from '#kernel/contract/plain-fields.ts';
import { count, cursor, deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';
import { issueQueryFields } from './filter-shape.ts';
import { CodeSnippet, Issue } from './shape.ts';

const MAX_PAGE_SIZE = 1000;

export const SORT_NOT_SERVED = fault(
  'SORT_NOT_SERVED',
  400,
  'Lists of issues cannot be sorted by {sort}.',
  'Sort by SORT_BY_RELEVANT_SINCE or SORT_BY_SEVERITY.',
);

const base = '/api/agent/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const issuePath = { ...path, issueId: id('Finding') };
const facts = { maturity: 'experimental', path } as const;

export const issuePageFields = {
  limit: pageSize({ fallback: 100, min: 1, max: MAX_PAGE_SIZE }),
  cursor: cursor(),
};
export const sortDirectionField = SortDirection.optional();
export const issueSortFields = {
  sortBy: oneOf([
    'SORT_BY_SEVERITY',
    'SORT_BY_REF',
    'SORT_BY_REPO',
    'SORT_BY_RULE',
    'SORT_BY_RELEVANT_SINCE',
    'SORT_BY_STATE',
  ]).optional(),
  sortDirection: sortDirectionField,
};
export const issueIncludeFields = {
  includeRemediation: z.boolean().optional(),
  includeActivityHistory: z.boolean().optional(),
  includeIsArchived: z.boolean().optional(),
  includeFirstDetectedAt: z.boolean().optional(),
};
const { filter, ...selection } = issueQueryFields;

export const ListedIssue = z.object({
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
    'Lists issues of all products, most recently relevant first. By default states are those on the primary ref of ' +
    'each project; with refs in the filter, those on these refs. Removed issues are listed only if the filter asks ' +
    'for them. `q` is a further filter in the grammar of the filter bar. Pass `snapshot` to a bulk update to ' +
    'exclude issues that appeared later.',
  allow: 'issue:read',
  body: { ...selection, ...issueSortFields, ...issuePageFields, filter, ...issueIncludeFields },
  reply: { issues: z.array(ListedIssue), cursor: cursor(), snapshot: id('Snapshot') },
  faults: [INVALID_QUERY, SORT_NOT_SERVED],
});

export const getIssue = operation({
  ...facts,
  route: `GET ${base}/issues/v2/{issueId}`,
  summary: 'Get an issue',
  description: 'By its id, or by the id of a detection, whose ref, state and location are then shown.',
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
  description: 'Returns the code that the scanner sent; empty if it sent none.',
  allow: 'issue:read',
  path: issuePath,
  reply: { codeSnippets: z.array(CodeSnippet) },
});
