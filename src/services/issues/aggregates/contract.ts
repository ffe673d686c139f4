import { z } from 'zod';
import { INVALID_QUERY } from '#domain/findings/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, cursor, deployment, id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { issuePageFields, sortDirectionField } from '../list/contract.ts';
import { EpssScore } from '../list/dependency-shape.ts';
import { includeWorkflowsField, issueQueryFields } from '../list/filter-shape.ts';
import { RuleOrigin, SupersededRules } from '../list/shape.ts';

const base = '/api/agent/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const facts = { maturity: 'experimental', path } as const;
const { filter, ...selection } = issueQueryFields;
const texts = () => z.array(z.string());

export const getIssueCounts = operation({
  ...facts,
  route: `POST ${base}/issue_counts`,
  summary: 'Count issues by state',
  description:
    'The `tab` of the filter is ignored, so that one reply has the counts of all tabs. With `includeWorkflows` ' +
    'workflow issues are counted too.',
  allow: 'issue:read',
  body: { ...selection, filter, ...includeWorkflowsField },
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

export const getIssueFilters = operation({
  ...facts,
  route: `POST ${base}/issue_filters`,
  summary: 'List filter values of issues',
  description: 'Returns only values of matching issues, at most 1000 of each kind.',
  allow: 'issue:read',
  body: { ...selection, filter },
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

/** Issues of one rule. */
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
  summary: 'List issues grouped by rule',
  description: 'Sorted by number of issues or by severity. `total` is the number of groups.',
  allow: 'issue:read',
  body: {
    ...selection,
    groupBy: oneOf(['GROUP_BY_RULE']).optional(),
    ...issuePageFields,
    filter,
    sortBy: oneOf(['SORT_BY_ISSUE_COUNTS', 'SORT_BY_SEVERITY']).optional(),
    sortDirection: sortDirectionField,
  },
  reply: { groups: z.array(IssueGroup), cursor: cursor(), total: count(), fetched: count() },
  faults: [INVALID_QUERY],
});
