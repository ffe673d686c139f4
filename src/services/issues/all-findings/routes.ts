import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { findTriagePermission } from '#domain/products/triage-permission.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type OperationHandlers, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import * as store from '../list/store.ts';
import * as contract from './contract.ts';
import { allFindingsSnapshot, filtersByKind, findMergedPage, idsOfKind, type MergedEntry } from './merged-list.ts';
import { findWorkflowIssuesWithProjects } from './workflow-issues.ts';

/** PostgreSQL builds the JSON of issues because there are many of them; the few workflow issues are encoded here. */
const issueItemJson = (issue: string) => `{"kind":"FINDING_KIND_ISSUE","issue":${issue},"projects":[]}`;

async function workflowItemsJson(
  tx: Tx,
  { caller }: CallerContext,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const issues = await findWorkflowIssuesWithProjects(tx, caller, ids);
  return new Map(
    issues.map(({ workflowIssue, projects: names }) => {
      const projects = workflowIssue.projectIds.map((id, index) => ({ id, name: names[index] ?? '' }));
      const item = z.encode(contract.AllFindingsItem, { kind: 'FINDING_KIND_WORKFLOW_ISSUE', workflowIssue, projects });
      return [workflowIssue.id, JSON.stringify(item)];
    }),
  );
}

/** The items of the entries as a JSON array, in list order. */
async function itemsJson(tx: Tx, context: CallerContext, entries: readonly MergedEntry[]): Promise<string> {
  const ids = idsOfKind(entries, 'issue');
  const selection = { ids, included: {}, permission: await findTriagePermission(tx, context.caller) };
  const issues = ids.length === 0 ? new Map<string, string>() : await store.findIssuesJson(tx, selection);
  const workflows = await workflowItemsJson(tx, context, idsOfKind(entries, 'workflow'));
  const items = entries.flatMap(({ kind, id }) => {
    if (kind === 'workflow') return workflows.get(id) ?? [];
    const issue = issues.get(id);
    return issue === undefined ? [] : issueItemJson(issue);
  });
  return `[${items.join(',')}]`;
}

/** The list of findings and workflow issues. */
export const allFindingsHandlers: OperationHandlers<typeof contract> = {
  listAllIssues: async ({ body, page, tx, caller, now }) => {
    const context = { caller, now };
    const { sortBy, sortDirection } = body;
    const order = {
      by: sortBy === 'SORT_BY_SEVERITY' ? 'severity' : 'relevance',
      isDescending: sortDirection !== 'SORT_DIRECTION_ASC',
    } as const;
    const snapshot = await allFindingsSnapshot(tx, caller.deployment);
    const entries = await findMergedPage(tx, context, { filters: filtersByKind(body, now), order, page });
    const items = await itemsJson(tx, context, entries);
    return new PrebuiltReply(`{"issues":${items},"cursor":${JSON.stringify(page.next)},"snapshot":"${snapshot}"}`);
  },
};
