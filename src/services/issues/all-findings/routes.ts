import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type OperationHandlers, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import { findWorkflowIssuesWithProjects } from '../export/workflow-export.ts';
import { permissionOf } from '../list/permission.ts';
import * as store from '../list/store.ts';
import * as contract from './contract.ts';
import { allFindingsSnapshot, filtersByKind, findMergedPage, idsOfKind, type MergedEntry } from './merged-list.ts';

/** Issues come as PostgreSQL writes them, because they are many; the few workflow issues are written here. */
const issueLine = (issue: string) => `{"kind":"FINDING_KIND_ISSUE","issue":${issue},"projects":[]}`;

async function workflowTexts(tx: Tx, { caller }: CallerContext, ids: readonly string[]): Promise<Map<string, string>> {
  const lines = await findWorkflowIssuesWithProjects(tx, caller, ids);
  return new Map(
    lines.map(({ workflowIssue, projects: names }) => {
      const projects = workflowIssue.projectIds.map((id, index) => ({ id, name: names[index] ?? '' }));
      const line = z.encode(contract.AllFindingsItem, { kind: 'FINDING_KIND_WORKFLOW_ISSUE', workflowIssue, projects });
      return [workflowIssue.id, JSON.stringify(line)];
    }),
  );
}

/** What stands at each spot of the list, in its order. */
async function linesAt(tx: Tx, asking: CallerContext, spots: readonly MergedEntry[]): Promise<string> {
  const ids = idsOfKind(spots, 'issue');
  const wanted = { ids, included: {}, permission: await permissionOf(tx, asking.caller) };
  const issues = ids.length === 0 ? new Map<string, string>() : await store.findIssuesJson(tx, wanted);
  const workflows = await workflowTexts(tx, asking, idsOfKind(spots, 'workflow'));
  const lines = spots.flatMap(({ kind, id }) => {
    if (kind === 'workflow') return workflows.get(id) ?? [];
    const issue = issues.get(id);
    return issue === undefined ? [] : issueLine(issue);
  });
  return `[${lines.join(',')}]`;
}

/** The one list of what scanners and workflows found. */
export const allFindingsHandlers: OperationHandlers<typeof contract> = {
  listAllIssues: async ({ body, page, tx, caller, now }) => {
    const asking = { caller, now };
    const { sortBy, sortDirection } = body;
    const order = {
      by: sortBy === 'SORT_BY_SEVERITY' ? 'severity' : 'relevance',
      isDescending: sortDirection !== 'SORT_DIRECTION_ASC',
    } as const;
    const snapshot = await allFindingsSnapshot(tx, caller.deployment);
    const spots = await findMergedPage(tx, asking, { filters: filtersByKind(body, now), order, page });
    const lines = await linesAt(tx, asking, spots);
    return new PrebuiltReply(`{"issues":${lines},"cursor":${JSON.stringify(page.next)},"snapshot":"${snapshot}"}`);
  },
};
