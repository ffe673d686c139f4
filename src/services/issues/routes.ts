import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { listFindingPage } from '#domain/findings/filter/finding-list.ts';
import { isOwnBulkTriage } from '#domain/findings/triage/bulk-triage.ts';
import { findTriagePermission } from '#domain/products/triage-permission.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import { countAllByState } from './aggregates/all-findings-counts.ts';
import * as aggregatesContract from './aggregates/contract.ts';
import * as aggregates from './aggregates/queries.ts';
import * as allFindingsContract from './all-findings/contract.ts';
import { allFindingsSnapshot, isDecisionBatchVisible } from './all-findings/merged-list.ts';
import { allFindingsHandlers } from './all-findings/routes.ts';
import * as bulkContract from './bulk/contract.ts';
import { bulkHandlers } from './bulk/routes.ts';
import * as commentContract from './comments/contract.ts';
import { commentHandlers } from './comments/routes.ts';
import { findComment } from './comments/store.ts';
import * as evidenceContract from './evidence/contract.ts';
import { findIssueEvidence } from './evidence/queries.ts';
import * as exportContract from './export/contract.ts';
import { exportHandlers } from './export/routes.ts';
import * as listContract from './list/contract.ts';
import { dataflowTraceOf } from './list/dataflow-trace.ts';
import { findingFilterOf } from './list/filter-mapping.ts';
import { issueOrderOf } from './list/issue-order.ts';
import * as store from './list/store.ts';
import * as viewsContract from './views/contract.ts';
import { viewHandlers } from './views/routes.ts';

const contract = {
  ...listContract,
  ...aggregatesContract,
  ...viewsContract,
  ...exportContract,
  ...evidenceContract,
  ...bulkContract,
  ...allFindingsContract,
  ...commentContract,
};

/** IssuesService: findings of all products. */
export const issues = group(
  'IssuesService',
  contract,
  {
    ...viewHandlers,
    ...exportHandlers,
    ...bulkHandlers,
    ...allFindingsHandlers,
    ...commentHandlers,

    listIssues: async ({ body, page, tx, caller, now }) => {
      const request = { filter: findingFilterOf(body, now), order: issueOrderOf(body), page };
      // The snapshot is read first, so that it is not newer than the list. The statements are pipelined.
      const [snapshot, ids, permission] = await Promise.all([
        allFindingsSnapshot(tx, caller.deployment),
        listFindingPage(tx, { caller, now }, request),
        findTriagePermission(tx, caller),
      ]);
      const included = {
        remediation: body.includeRemediation,
        isArchived: body.includeIsArchived,
        firstDetectedAt: body.includeFirstDetectedAt,
        activityHistory: body.includeActivityHistory,
      };
      const rows = await store.listIssuesJson(tx, { ids, included, permission });
      return new PrebuiltReply(`{"issues":${rows},"cursor":${JSON.stringify(page.next)},"snapshot":"${snapshot}"}`);
    },

    getIssueCounts: async ({ body, tx, caller, now }) => {
      const { tab: _, ...filter } = body.filter ?? {};
      const query = { ...body, filter };
      return body.includeWorkflows === true
        ? countAllByState(tx, { caller, now }, query)
        : aggregates.countByState(tx, { caller, now }, findingFilterOf(query, now));
    },

    getIssueFilters: ({ body, tx, caller, now }) =>
      aggregates.listFilterValues(tx, { caller, now }, findingFilterOf(body, now)),

    listIssueGroups: async ({ body, page, tx, caller, now }) => {
      const order: aggregates.RuleGroupOrder = {
        by: body.sortBy === 'SORT_BY_SEVERITY' ? 'severity' : 'count',
        isDescending: body.sortDirection !== 'SORT_DIRECTION_ASC',
      };
      const request = { filter: findingFilterOf(body, now), order, window: page.window };
      const { rows, total } = await aggregates.listRuleGroups(tx, { caller, now }, request);
      const { items, cursor } = page.close(rows, ({ key }) => key);
      return { groups: items.map((row) => row.group), cursor, total, fetched: items.length };
    },

    getIssue: async ({ path, query, tx, caller, answer }) => {
      const permission = await findTriagePermission(tx, caller);
      const { includeCodeSnippet: codeSnippets, includeIsArchived: isArchived } = query;
      const included = { remediation: true, codeSnippets, isArchived, firstDetectedAt: true, activityHistory: true };
      const [issue] = await store.findMany(tx, { ids: [path.issueId], included, permission });
      if (!issue) throw NOT_FOUND();
      answer.setEtag(await store.versionOf(tx, path.issueId));
      const dataflowTrace = dataflowTraceOf(await store.findRawTrace(tx, path.issueId));
      return { ...issue, ...(dataflowTrace && { dataflowTrace }) };
    },

    getIssueCodeSnippets: async ({ path, tx }) => ({ codeSnippets: await store.findCodeSnippets(tx, path.issueId) }),

    getIssueEvidence: async ({ path, tx, caller, now }) => {
      const permission = await findTriagePermission(tx, caller);
      const rights = {
        canTriage: permission !== 'TRIAGE_PERMISSION_NONE',
        canIgnore: permission === 'TRIAGE_PERMISSION_IGNORE',
      };
      return findIssueEvidence(tx, { caller, now }, path.issueId, rights);
    },
  },
  {
    objects: {
      issueId: async (tx, { caller, id }) => {
        const unknown = await unknownFindingIds(tx, { caller, now: new Date(0) }, [id]);
        return unknown.has(id) ? undefined : new Set<string>();
      },
      commentId: async (tx, { caller, id }) => {
        const comment = await findComment(tx, caller, id);
        if (!comment) return undefined;
        const unknown = await unknownFindingIds(tx, { caller, now: new Date(0) }, [comment.issueId]);
        return unknown.size > 0 ? undefined : new Set<string>();
      },
      batchId: async (tx, { caller, id }) =>
        (await isOwnBulkTriage(tx, caller, id)) || (await isDecisionBatchVisible(tx, { caller, now: new Date(0) }, id))
          ? new Set<string>()
          : undefined,
    },
  },
);
