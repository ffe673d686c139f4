import { z } from 'zod';
import type { Asking } from '#domain/findings/filter.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Handlers, Prebuilt } from '#kernel/http/group.ts';
import { findWorkflowLines } from './export-workflows.ts';
import { filtersOf, idsOf, mixedPage, type Spot, snapshotOfBoth } from './mixed.ts';
import * as contract from './mixed-contract.ts';
import { permissionOf } from './permission.ts';
import * as store from './store.ts';

/** Issues come as PostgreSQL writes them, because they are many; the few workflow issues are written here. */
const issueLine = (issue: string) => `{"kind":"FINDING_KIND_ISSUE","issue":${issue},"projects":[]}`;

async function workflowTexts(tx: Tx, { caller }: Asking, ids: readonly string[]): Promise<Map<string, string>> {
  const lines = await findWorkflowLines(tx, caller, ids);
  return new Map(
    lines.map(({ workflowIssue, projects: names }) => {
      const projects = workflowIssue.projectIds.map((id, index) => ({ id, name: names[index] ?? '' }));
      const line = z.encode(contract.Line, { kind: 'FINDING_KIND_WORKFLOW_ISSUE', workflowIssue, projects });
      return [workflowIssue.id, JSON.stringify(line)];
    }),
  );
}

/** What stands at each spot of the list, in its order. */
async function linesAt(tx: Tx, asking: Asking, spots: readonly Spot[]): Promise<string> {
  const ids = idsOf(spots, 'issue');
  const wanted = { ids, included: {}, permission: await permissionOf(tx, asking.caller) };
  const issues = ids.length === 0 ? new Map<string, string>() : await store.findTexts(tx, wanted);
  const workflows = await workflowTexts(tx, asking, idsOf(spots, 'workflow'));
  const lines = spots.flatMap(({ kind, id }) => {
    if (kind === 'workflow') return workflows.get(id) ?? [];
    const issue = issues.get(id);
    return issue === undefined ? [] : issueLine(issue);
  });
  return `[${lines.join(',')}]`;
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
    const snapshot = await snapshotOfBoth(tx, caller.deployment);
    const spots = await mixedPage(tx, asking, { filters: filtersOf(body, now), order, page });
    const lines = await linesAt(tx, asking, spots);
    return new Prebuilt(`{"issues":${lines},"cursor":${JSON.stringify(page.next)},"snapshot":"${snapshot}"}`);
  },
};
