import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { type FindingOrder, listFindingPage } from '#domain/findings/filter/finding-list.ts';
import { endBulkTriage, isOwnBulkTriage } from '#domain/findings/triage/bulk-triage.ts';
import { triageFindings } from '#domain/findings/triage/triage.ts';
import { undoTriageBatch } from '#domain/findings/triage/undo-batch.ts';
import { startTask } from '#domain/tasks/task-runner.ts';
import { undoIssueDecisions } from '#domain/workflow-issues/undo-decisions.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import { countAllByState } from './aggregates/all-findings-counts.ts';
import * as aggregates from './aggregates/queries.ts';
import * as mixed from './all-findings/contract.ts';
import { allFindingsSnapshot, isDecisionBatchVisible } from './all-findings/merged-list.ts';
import { allFindingsHandlers } from './all-findings/routes.ts';
import * as bulk from './bulk/contract.ts';
import {
  bulkHandlers,
  checkTriageUpdate,
  exportColumnsOf,
  refuseUnknownIssues,
  triageDecisionOf,
} from './bulk/routes.ts';
import * as evidence from './evidence/contract.ts';
import { findIssueEvidence } from './evidence/queries.ts';
import { issueExportTask } from './export/jobs.ts';
import * as contract from './list/contract.ts';
import { dataflowTraceOf } from './list/dataflow-trace.ts';
import { findingFilterOf } from './list/filter-mapping.ts';
import { permissionOf } from './list/permission.ts';
import * as store from './list/store.ts';
import * as views from './views/contract.ts';
import { viewHandlers } from './views/routes.ts';

const ORDERS: Record<string, FindingOrder['by']> = {
  SORT_BY_RELEVANT_SINCE: 'relevance',
  SORT_BY_SEVERITY: 'severity',
};

type Sorted = Pick<Call<typeof contract.listIssues>['body'], 'sortBy' | 'sortDirection'>;

function orderOf({ sortBy = 'SORT_BY_RELEVANT_SINCE', sortDirection }: Sorted): FindingOrder {
  const by = ORDERS[sortBy];
  if (!by) throw contract.SORT_NOT_SERVED({ sort: sortBy });
  return { by, isDescending: sortDirection !== 'SORT_DIRECTION_ASC' };
}

/** IssuesService: findings of all products, as their projects have them. */
export const issues = group(
  'IssuesService',
  { ...contract, ...views, ...evidence, ...bulk, ...mixed },
  {
    ...viewHandlers,
    ...bulkHandlers,
    ...allFindingsHandlers,

    listIssues: async ({ body, page, tx, caller, now }) => {
      const wanted = { filter: findingFilterOf(body, now), order: orderOf(body), page };
      // In this order and sent together: what is listed is seen after the mark.
      const [snapshot, ids, permission] = await Promise.all([
        allFindingsSnapshot(tx, caller.deployment),
        listFindingPage(tx, { caller, now }, wanted),
        permissionOf(tx, caller),
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

    exportIssues: async ({ body, tx, caller, now, services, answer }) => {
      const { issueType, issueTypes = [], filter = {}, q = '', limit: most = contract.MAX_EXPORTED_ISSUES } = body;
      const types = issueTypes.length === 0 && issueType !== undefined ? [issueType] : issueTypes;
      findingFilterOf({ issueTypes: types, filter, ...(q !== '' && { q }) }, now);
      const { userId, seesEverything, deployment } = caller;
      const { format = 'EXPORT_FORMAT_CSV' } = body;
      const input = {
        ...{ issueTypes: types, filter, q, order: orderOf(body), most, format, columns: exportColumnsOf(body) },
        ...{ asOf: now.toISOString(), userId, seesEverything, isMixed: body.includeWorkflows === true },
      };
      answer.recordEffect({ object: 'export', after: { q, filter } });
      return {
        taskTokenJwt: await startTask(tx, services.keys, { kind: issueExportTask, caller, deployment, input, now }),
      };
    },

    getIssueCounts: async ({ body, tx, caller, now }) => {
      const { tab: _, ...filter } = body.filter ?? {};
      const asked = { ...body, filter };
      return body.includeWorkflows === true
        ? countAllByState(tx, { caller, now }, asked)
        : aggregates.countByState(tx, { caller, now }, findingFilterOf(asked, now));
    },

    getIssueFilters: ({ body, tx, caller, now }) =>
      aggregates.listFilterValues(tx, { caller, now }, findingFilterOf(body, now)),

    listIssueGroups: async ({ body, page, tx, caller, now }) => {
      const order: aggregates.RuleGroupOrder = {
        by: body.sortBy === 'SORT_BY_SEVERITY' ? 'severity' : 'count',
        isDescending: body.sortDirection !== 'SORT_DIRECTION_ASC',
      };
      const wanted = { filter: findingFilterOf(body, now), order, window: page.window };
      const { rows, total } = await aggregates.listRuleGroups(tx, { caller, now }, wanted);
      const { items, cursor } = page.close(rows, ({ key }) => key);
      return { groups: items.map((row) => row.group), cursor, total, fetched: items.length };
    },

    getIssue: async ({ path, query, tx, caller, answer }) => {
      const permission = await permissionOf(tx, caller);
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
      const permission = await permissionOf(tx, caller);
      const mayIgnore = permission === 'TRIAGE_PERMISSION_IGNORE';
      const rights = { mayTriage: permission !== 'TRIAGE_PERMISSION_NONE', mayIgnore };
      return findIssueEvidence(tx, { caller, now }, path.issueId, rights);
    },

    bulkUpdateIssues: async ({ body, tx, caller, now, answer }) => {
      checkTriageUpdate(body);
      await refuseUnknownIssues({ tx, caller, now, body });
      const { snapshot } = body;
      const decision = triageDecisionOf(body.params);
      const done = await triageFindings(
        tx,
        { caller, now },
        { filter: findingFilterOf(body, now), decision, ...(snapshot !== undefined && { snapshot }) },
      );
      answer.recordEffect({ object: `batch/${done.batch ?? '0'}`, after: { ...decision, findings: done.findings } });
      return {
        issueParentCount: done.findings.length,
        issueCount: await store.countRefsOf(tx, done.findings),
        updatedCount: done.changed,
        numIgnored: decision.state === 'ignored' ? done.changed : 0,
        numExceptionsRequested: done.requested,
        numSkipped: done.skipped,
        ...(done.batch !== undefined && { batchId: done.batch as Id<'FindingBatch'> }),
      };
    },

    undoBatch: async ({ path, tx, caller, now, answer }) => {
      const asking = { caller, now };
      // First, so that no further round begins; a large batch takes longer than other requests may.
      const isOfRounds = await endBulkTriage(tx, { deployment: caller.deployment, batch: path.batchId, at: now });
      if (isOfRounds) await tx.run`select set_config('statement_timeout', '5min', true)`;
      const isUntouched = isOfRounds && !(await isDecisionBatchVisible(tx, asking, path.batchId));
      const nothing = { batch: undefined, undone: 0, skipped: 0 };
      const { batch, undone, skipped } = isUntouched
        ? nothing
        : await undoTriageBatch(tx, asking, path.batchId, (opened) =>
            undoIssueDecisions(tx, asking, path.batchId, opened),
          );
      answer.recordEffect({ object: `batch/${path.batchId}`, after: { batch, undone, skipped } });
      return { ...(batch !== undefined && { batchId: batch as Id<'FindingBatch'> }), undone, skipped };
    },
  },
  {
    objects: {
      issueId: async (tx, { caller, id }) => {
        const unknown = await unknownFindingIds(tx, { caller, now: new Date(0) }, [id]);
        return unknown.has(id) ? undefined : new Set<string>();
      },
      batchId: async (tx, { caller, id }) =>
        (await isOwnBulkTriage(tx, caller, id)) || (await isDecisionBatchVisible(tx, { caller, now: new Date(0) }, id))
          ? new Set<string>()
          : undefined,
    },
  },
);
