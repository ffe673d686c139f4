import type { Asking } from '#domain/findings/filter.ts';
import { snapshotOf } from '#domain/findings/opening.ts';
import type { WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import { findMany as findWorkflowIssues, projectNames } from '#domain/workflow-issues/store.ts';
import type { Id } from '#kernel/contract/proto.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Handlers } from '#kernel/http/group.ts';
import { filtersOf, idsOf, mixedPage, type Spot } from './mixed.ts';
import type * as contract from './mixed-contract.ts';
import { permissionOf } from './permission.ts';
import type { Issue } from './shape.ts';
import * as store from './store.ts';

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]));

/** What stands at each spot of the list, in its order. */
async function linesAt(tx: Tx, { caller }: Asking, spots: readonly Spot[]): Promise<contract.Line[]> {
  const [issueIds, workflowIds] = [idsOf(spots, 'issue'), idsOf(spots, 'workflow')];
  const permission = await permissionOf(tx, caller);
  const issues = byId<Issue>(
    issueIds.length === 0 ? [] : await store.findMany(tx, { ids: issueIds, included: {}, permission }),
  );
  const found = workflowIds.length === 0 ? [] : await findWorkflowIssues(tx, caller, workflowIds);
  const names = await projectNames(tx, caller.deployment, found);
  const workflows = byId<WorkflowIssue>(found);
  return spots.flatMap(({ kind, id }): contract.Line[] => {
    const [issue, workflowIssue] = [issues.get(id), workflows.get(id)];
    if (kind === 'issue') return issue ? [{ kind: 'FINDING_KIND_ISSUE', issue, projects: [] }] : [];
    if (!workflowIssue) return [];
    const projects = workflowIssue.projectIds.map((project) => ({ id: project, name: names.get(project) ?? '' }));
    return [{ kind: 'FINDING_KIND_WORKFLOW_ISSUE', workflowIssue, projects }];
  });
}

/** The one list of what scanners and workflows found. */
export const mixedHandlers: Handlers<typeof contract> = {
  listAllIssues: async ({ body, page, tx, caller, now }) => {
    const asking = { caller, now };
    const { sortBy, sortDirection } = body;
    const order = {
      by: sortBy === 'SORT_BY_SEVERITY' ? 'severity' : 'relevance',
      isDescending: sortDirection !== 'SORT_DIRECTION_ASC',
    } as const;
    const snapshot = (await snapshotOf(tx, caller.deployment)) as Id<'Snapshot'>;
    const spots = await mixedPage(tx, asking, { filters: filtersOf(body, now), order, page });
    return { issues: await linesAt(tx, asking, spots), cursor: page.next, snapshot };
  },
};
