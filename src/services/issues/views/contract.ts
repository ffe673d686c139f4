import { z } from 'zod';
import { INVALID_QUERY } from '#domain/findings/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { pageSize } from '#kernel/contract/plain-fields.ts';
import { count, cursor, deployment, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { includeWorkflowsField, issueQueryFields } from '../list/filter-shape.ts';
import { FACET_KEYS, FacetKey, ISSUE_GROUPINGS } from './shape.ts';

const base = '/api/agent/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const facts = { maturity: 'experimental', isExtension: true, path } as const;
const { q, filter } = issueQueryFields;

export const getIssueFacets = operation({
  ...facts,
  route: `POST ${base}/issue_facets`,
  summary: 'Count issues by filter values',
  description:
    'Returns for each filter key the values of matching issues, at most 20, most frequent first. The counts of a ' +
    'key ignore conditions of the query on the same key, so that alternatives are shown. `value` is formatted as in ' +
    'the filter bar; values in `q` are always included. If too many issues match, `totalIsExact` is false and the ' +
    'counts are lower bounds. With `includeWorkflows` workflow issues are counted too.',
  allow: 'issue:read',
  body: { q, filter, ...includeWorkflowsField, keys: z.array(FacetKey).max(FACET_KEYS.length).optional() },
  reply: {
    total: count(),
    totalIsExact: z.boolean(),
    facets: z.array(
      z.object({
        key: FacetKey,
        values: z.array(z.object({ value: z.string(), label: z.string(), count: count(), isApplied: z.boolean() })),
      }),
    ),
  },
  faults: [INVALID_QUERY],
});

export const SeverityCounts = z.object({
  critical: count(),
  high: count(),
  medium: count(),
  low: count(),
  info: count(),
});

export const groupIssues = operation({
  ...facts,
  route: `POST ${base}/issue_groups`,
  summary: 'Group issues',
  description:
    'Largest groups first. `q` is the filter that, together with the same `filter`, lists the issues of a group. An ' +
    'issue with several CWEs is in the group of each; issues without a CWE or dependency are in no group of that ' +
    'kind. Files of different projects are in different groups. `newestAt` is the latest time at which an issue of ' +
    'the group became relevant. With `includeWorkflows` workflow issues are grouped too, in the group of each of ' +
    'their projects.',
  allow: 'issue:read',
  body: {
    q,
    filter,
    ...includeWorkflowsField,
    groupBy: oneOf(ISSUE_GROUPINGS).default('GROUP_BY_RULE'),
    limit: pageSize({ fallback: 50, min: 1, max: 200 }),
    cursor: cursor(),
  },
  reply: {
    groups: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        q: z.string(),
        count: count(),
        severities: SeverityCounts,
        newestAt: timestamp(),
      }),
    ),
    cursor: cursor(),
    total: count(),
  },
  faults: [INVALID_QUERY],
});
