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

/** One line of the list: exactly one of the two members that hold what was found is there. */
export const AllFindingsItem = z.object({
  kind: FindingKindName,
  issue: Issue.optional(),
  workflowIssue: WorkflowIssue.optional(),
  /** Of a workflow issue, by name; an issue names its own. */
  projects: z.array(z.object({ id: id('Project'), name: z.string() })),
});
export type AllFindingsItem = z.output<typeof AllFindingsItem>;

export const listAllIssues = operation({
  route: 'POST /api/agent/deployments/{deploymentId}/all_issues',
  summary: 'List issues of every type',
  description:
    'What scanners found and what Agentic Workflows found in one list, in one order; `q` narrows both, and `type:` ' +
    'chooses. Each line says its kind, because ids of the two kinds are numbers of their own. What scanners found is ' +
    'ordered by when it became relevant, what workflows found by when it was first handed in. `snapshot` can be ' +
    'handed to a bulk update, which then leaves alone what came later, of both kinds.',
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
