import { endBulk, isOwnBulk } from '#domain/findings/bulk.ts';
import { unknownIds } from '#domain/findings/ids.ts';
import { type Order, pageOf } from '#domain/findings/list.ts';
import { triage } from '#domain/findings/triage.ts';
import { undo } from '#domain/findings/undo.ts';
import { startTask } from '#domain/tasks/running.ts';
import { undoWorkflows } from '#domain/workflow-issues/undo.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto.ts';
import { type Call, group, Prebuilt } from '#kernel/http/group.ts';
import * as aggregates from './aggregates.ts';
import * as bulk from './bulk-contract.ts';
import * as contract from './contract.ts';
import { evidenceOf } from './evidence.ts';
import * as evidence from './evidence-contract.ts';
import { issueExport } from './export.ts';
import { isVisibleBatch, snapshotOfBoth } from './mixed.ts';
import * as mixed from './mixed-contract.ts';
import { countsOfBoth } from './mixed-counts.ts';
import { mixedHandlers } from './mixed-routes.ts';
import { permissionOf } from './permission.ts';
import * as store from './store.ts';
import { traceOf } from './trace.ts';
import { bulkHandlers, checkUpdate, columnsOf, decisionOf, refuseUnknown } from './updating.ts';
import * as views from './views-contract.ts';
import { viewHandlers } from './views-routes.ts';
import { filterOf } from './wanted.ts';

const ORDERS: Record<string, Order['by']> = {
  SORT_BY_RELEVANT_SINCE: 'relevance',
  SORT_BY_SEVERITY: 'severity',
};

type Sorted = Pick<Call<typeof contract.listIssues>['body'], 'sortBy' | 'sortDirection'>;

function orderOf({ sortBy = 'SORT_BY_RELEVANT_SINCE', sortDirection }: Sorted): Order {
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
    ...mixedHandlers,

    listIssues: async ({ body, page, tx, caller, now }) => {
      const wanted = { filter: filterOf(body, now), order: orderOf(body), page };
      // In this order and sent together: what is listed is seen after the mark.
      const [snapshot, ids, permission] = await Promise.all([
        snapshotOfBoth(tx, caller.deployment),
        pageOf(tx, { caller, now }, wanted),
        permissionOf(tx, caller),
      ]);
      const included = {
        remediation: body.includeRemediation,
        isArchived: body.includeIsArchived,
        firstDetectedAt: body.includeFirstDetectedAt,
        activityHistory: body.includeActivityHistory,
      };
      const rows = await store.listText(tx, { ids, included, permission });
      return new Prebuilt(`{"issues":${rows},"cursor":${JSON.stringify(page.next)},"snapshot":"${snapshot}"}`);
    },

    exportIssues: async ({ body, tx, caller, now, powers, answer }) => {
      const { issueType, issueTypes = [], filter = {}, q = '', limit: most = contract.MOST_EXPORTED } = body;
      const types = issueTypes.length === 0 && issueType !== undefined ? [issueType] : issueTypes;
      filterOf({ issueTypes: types, filter, ...(q !== '' && { q }) }, now);
      const { userId, seesEverything, deployment } = caller;
      const { format = 'EXPORT_FORMAT_CSV' } = body;
      const input = {
        ...{ issueTypes: types, filter, q, order: orderOf(body), most, format, columns: columnsOf(body) },
        ...{ asOf: now.toISOString(), userId, seesEverything, isMixed: body.includeWorkflows === true },
      };
      answer.changed({ object: 'export', after: { q, filter } });
      return { taskTokenJwt: await startTask(tx, powers.keys, { kind: issueExport, caller, deployment, input, now }) };
    },

    getIssueCounts: async ({ body, tx, caller, now }) => {
      const { tab: _, ...filter } = body.filter ?? {};
      const asked = { ...body, filter };
      return body.includeWorkflows === true
        ? countsOfBoth(tx, { caller, now }, asked)
        : aggregates.counts(tx, { caller, now }, filterOf(asked, now));
    },

    getIssueFilters: ({ body, tx, caller, now }) => aggregates.facets(tx, { caller, now }, filterOf(body, now)),

    listIssueGroups: async ({ body, page, tx, caller, now }) => {
      const order: aggregates.GroupOrder = {
        by: body.sortBy === 'SORT_BY_SEVERITY' ? 'severity' : 'count',
        isDescending: body.sortDirection !== 'SORT_DIRECTION_ASC',
      };
      const wanted = { filter: filterOf(body, now), order, window: page.window };
      const { rows, total } = await aggregates.groups(tx, { caller, now }, wanted);
      const { items, cursor } = page.close(rows, ({ key }) => key);
      return { groups: items.map((row) => row.group), cursor, total, fetched: items.length };
    },

    getIssue: async ({ path, query, tx, caller, answer }) => {
      const permission = await permissionOf(tx, caller);
      const { includeCodeSnippet: codeSnippets, includeIsArchived: isArchived } = query;
      const included = { remediation: true, codeSnippets, isArchived, firstDetectedAt: true, activityHistory: true };
      const [issue] = await store.findMany(tx, { ids: [path.issueId], included, permission });
      if (!issue) throw NOT_FOUND();
      answer.tag(await store.versionOf(tx, path.issueId));
      const dataflowTrace = traceOf(await store.findTrace(tx, path.issueId));
      return { ...issue, ...(dataflowTrace && { dataflowTrace }) };
    },

    getIssueCodeSnippets: async ({ path, tx }) => ({ codeSnippets: await store.findSnippets(tx, path.issueId) }),

    getIssueEvidence: async ({ path, tx, caller, now }) => {
      const permission = await permissionOf(tx, caller);
      const mayIgnore = permission === 'TRIAGE_PERMISSION_IGNORE';
      const rights = { mayTriage: permission !== 'TRIAGE_PERMISSION_NONE', mayIgnore };
      return evidenceOf(tx, { caller, now }, path.issueId, rights);
    },

    bulkUpdateIssues: async ({ body, tx, caller, now, answer }) => {
      checkUpdate(body);
      await refuseUnknown({ tx, caller, now, body });
      const { snapshot } = body;
      const decision = decisionOf(body.params);
      const done = await triage(
        tx,
        { caller, now },
        { filter: filterOf(body, now), decision, ...(snapshot !== undefined && { snapshot }) },
      );
      answer.changed({ object: `batch/${done.batch ?? '0'}`, after: { ...decision, findings: done.findings } });
      return {
        issueParentCount: done.findings.length,
        issueCount: await store.countPlaces(tx, done.findings),
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
      const isOfRounds = await endBulk(tx, { deployment: caller.deployment, batch: path.batchId, at: now });
      if (isOfRounds) await tx.run`select set_config('statement_timeout', '5min', true)`;
      const isUntouched = isOfRounds && !(await isVisibleBatch(tx, asking, path.batchId));
      const nothing = { batch: undefined, undone: 0, skipped: 0 };
      const { batch, undone, skipped } = isUntouched
        ? nothing
        : await undo(tx, asking, path.batchId, (opened) => undoWorkflows(tx, asking, path.batchId, opened));
      answer.changed({ object: `batch/${path.batchId}`, after: { batch, undone, skipped } });
      return { ...(batch !== undefined && { batchId: batch as Id<'FindingBatch'> }), undone, skipped };
    },
  },
  {
    objects: {
      issueId: async (tx, { caller, id }) => {
        const unknown = await unknownIds(tx, { caller, now: new Date(0) }, [id]);
        return unknown.has(id) ? undefined : new Set<string>();
      },
      batchId: async (tx, { caller, id }) =>
        (await isOwnBulk(tx, caller, id)) || (await isVisibleBatch(tx, { caller, now: new Date(0) }, id))
          ? new Set<string>()
          : undefined,
    },
  },
);
