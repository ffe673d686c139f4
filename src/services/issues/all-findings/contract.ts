import { z } from 'zod';
import { INVALID_QUERY, SortDirection } from '#domain/findings/shape.ts';
import { WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { pageSize } from '#kernel/contract/plain-fields.ts';
import { cursor, deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';
import { issueQueryFields } from '../list/filter-shape.ts';
import { Issue } from '../list/shape.ts';

const { q, filter } = issueQueryFields;

export const FINDING_KIND_NAMES = ['FINDING_KIND_ISSUE', 'FINDING_KIND_WORKFLOW_ISSUE'] as const;
export const FindingKindName = oneOf(FINDING_KIND_NAMES);

/** One entry of the list; has either `issue` or `workflowIssue`. */
export const AllFindingsItem = z.object({
  kind: FindingKindName,
  issue: Issue.optional(),
  workflowIssue: WorkflowIssue.optional(),
  /** The projects of a workflow issue; empty for an issue, which has `repository`. */
  projects: z.array(z.object({ id: id('Project'), name: z.string() })),
});
export type AllFindingsItem = z.output<typeof AllFindingsItem>;

export const listAllIssues = operation({
  route: 'POST /api/agent/deployments/{deploymentId}/all_issues',
  summary: 'List findings and workflow issues',
  description:
    'Lists findings of scanners and issues of Agentic Workflows together, in one order; `q` filters both, and ' +
    '`type:` selects a kind. Each item has a `kind`, because ids of different kinds can be equal. Findings are ' +
    'ordered by the time at which they became relevant, workflow issues by the time at which they were first ' +
    'reported. Pass `snapshot` to a bulk update to exclude issues of both kinds that appeared later.',
  maturity: 'experimental',
  isExtension: true,
  allow: 'issue:read',
  path: { deploymentId: deployment() },
  body: {
    q,
    filter,
    sortBy: oneOf(['SORT_BY_SEVERITY', 'SORT_BY_RELEVANT_SINCE']).optional(),
    sortDirection: SortDirection.optional(),
    limit: pageSize({ fallback: 100, min: 1, max: 1000 }),
    cursor: cursor(),
  },
  reply: { issues: z.array(AllFindingsItem), cursor: cursor(), snapshot: id('Snapshot') },
  faults: [INVALID_QUERY],
});
