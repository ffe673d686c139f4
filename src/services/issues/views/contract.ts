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
  summary: 'Count issues by what they can be narrowed to',
  description:
    'For each key of the filter bar the values that issues have, at most 20 and those with most issues first. The ' +
    'numbers of a key leave out what the filter says of that key, so that alternatives show. `value` is written as ' +
    'it stands after the key; values of `q` are always among them. Where more issues match than can be counted at ' +
    'once, `totalIsExact` is false and the numbers say how many there are at least. With `includeWorkflows` what ' +
    'Agentic Workflows found is counted too.',
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
  summary: 'Group issues by what they share',
  description:
    'The groups with most issues first. `q` is the filter bar of the list that shows the group, beside the same ' +
    '`filter`. An issue with several weaknesses is in the group of each; one without a weakness, or that is of no ' +
    'dependency, is in no group of that kind. Files of different projects are different groups. `newestAt` is when ' +
    'the newest of its issues became relevant. With `includeWorkflows` what Agentic Workflows found is in the groups ' +
    'too, in that of each of its projects.',
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
