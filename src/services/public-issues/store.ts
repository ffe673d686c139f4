import { z } from 'zod';
import { issueIsVisible, linkIsVisible } from '#domain/workflow-issues/issue-visibility.ts';
import { WORKFLOW_SEVERITIES, WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import { issueColumns } from '#domain/workflow-issues/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { WorkflowIssueFilter, WorkflowIssueSortField } from './contract.ts';

const VersionedWorkflowIssue = WorkflowIssue.extend({ version: count() });
export type VersionedWorkflowIssue = z.output<typeof VersionedWorkflowIssue>;

export const find = (
  tx: Tx,
  caller: Caller,
  { id, isLocked }: { id: string; isLocked: boolean },
): Promise<VersionedWorkflowIssue | undefined> =>
  tx.one(VersionedWorkflowIssue)`
    select ${issueColumns(caller)}, issue.version from workflow_issue as issue
    where issue.deployment_id = ${caller.deployment} and issue.id = ${id} and ${issueIsVisible(caller)}
    ${isLocked ? sql`for no key update of issue` : emptySql}`;

export async function isIssueVisible(tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const [row] = await tx.rows`
    select from workflow_issue as issue
    where issue.deployment_id = ${caller.deployment} and issue.id = ${id} and ${issueIsVisible(caller)}`;
  return row !== undefined;
}

/** The SQL text does not depend on the values, so that few statements are prepared; an empty list is no condition. */
const isOneOf = (column: Sql, values: readonly string[] = []): Sql =>
  sql`and (cardinality(${values}::text[]) = 0 or ${column} = any(${values}::text[]))`;

const overlaps = (column: Sql, values: readonly string[] = []): Sql =>
  sql`and (cardinality(${values}::text[]) = 0 or ${column} && ${values}::text[])`;

const contains = (column: Sql, text = ''): Sql =>
  sql`and (${text}::text = '' or strpos(lower(${column}), lower(${text}::text)) > 0)`;

const within = (column: Sql, { startAt, endAt }: { startAt?: Date | undefined; endAt?: Date | undefined } = {}): Sql =>
  sql`and (${startAt ?? null}::timestamptz is null or ${column} >= ${startAt ?? null}::timestamptz)
      and (${endAt ?? null}::timestamptz is null or ${column} < ${endAt ?? null}::timestamptz)`;

const rankOf = (severity: string) => (WORKFLOW_SEVERITIES as readonly string[]).indexOf(severity) + 1;

/** Conditions that an index serves are added only if given, so that the planner uses the index. */
function indexedConditions(caller: Caller, { ids = [], identities = [], projectIds = [] }: WorkflowIssueFilter): Sql {
  return sql`
    ${ids.length > 0 ? sql`and issue.id = any(${ids}::bigint[])` : emptySql}
    ${identities.length > 0 ? sql`and issue.identity = any(${identities}::text[])` : emptySql}
    ${
      projectIds.length > 0
        ? sql`and issue.id in (select link.issue_id from workflow_issue_project as link
            where link.deployment_id = ${caller.deployment} and link.project_id = any(${projectIds}::bigint[])
              and ${linkIsVisible(caller)})`
        : emptySql
    }`;
}

function conditions(caller: Caller, filters: WorkflowIssueFilter): Sql {
  const severities = (filters.severities ?? []).map(rankOf);
  const filePath = filters.filePathQuery ?? '';
  return sql`
    issue.deployment_id = ${caller.deployment} and ${issueIsVisible(caller)}
    ${indexedConditions(caller, filters)}
    and (cardinality(${severities}::integer[]) = 0 or issue.severity = any(${severities}::integer[]))
    ${isOneOf(sql`issue.detection_state`, filters.detectionStates)}
    ${isOneOf(sql`issue.triage_state`, filters.triageStates)}
    ${isOneOf(sql`issue.triage_reason`, filters.triageReasons)}
    ${overlaps(sql`issue.actions`, filters.actions)}
    ${overlaps(sql`issue.workflow_ids`, filters.workflowIds)}
    ${overlaps(sql`issue.workflow_job_ids`, filters.workflowJobIds)}
    ${overlaps(sql`issue.trigger_sources`, filters.triggerSources)}
    ${overlaps(sql`issue.ref_ids`, filters.refIds)}
    ${contains(sql`issue.title`, filters.titleQuery)}
    ${contains(sql`issue.description`, filters.descriptionQuery)}
    ${contains(sql`issue.reasoning`, filters.reasoningQuery)}
    and (${filePath}::text = '' or exists (
      select from unnest(issue.file_paths) as file (path) where strpos(lower(file.path), lower(${filePath}::text)) > 0))
    ${within(sql`issue.created_at`, filters.createdAt)}
    ${within(sql`issue.last_detected_at`, filters.lastDetectedAt)}
    ${within(sql`issue.triaged_at`, filters.triagedAt)}`;
}

const SORTS: Record<WorkflowIssueSortField, { column: Sql; type: Sql }> = {
  ISSUE_SORT_FIELD_SEVERITY: { column: sql`issue.severity`, type: sql`integer` },
  ISSUE_SORT_FIELD_LAST_DETECTED_AT: { column: sql`issue.last_detected_at`, type: sql`timestamptz` },
  ISSUE_SORT_FIELD_CREATED_AT: { column: sql`issue.created_at`, type: sql`timestamptz` },
  ISSUE_SORT_FIELD_FILE_PATH: { column: sql`issue.file_path_key`, type: sql`text` },
};

export interface WorkflowIssueOrder {
  field: WorkflowIssueSortField;
  isDescending: boolean;
}

const SortedWorkflowIssue = WorkflowIssue.extend({ sortKey: z.string() });
export type SortedWorkflowIssue = z.output<typeof SortedWorkflowIssue>;

/** One page in the requested order; every order is served by an index, scanned forwards or backwards. */
export function search(
  tx: Tx,
  caller: Caller,
  { filters, order, window }: { filters: WorkflowIssueFilter; order: WorkflowIssueOrder; window: PageWindow },
): Promise<SortedWorkflowIssue[]> {
  const { column, type } = SORTS[order.field];
  const { after, limit } = window;
  const direction = order.isDescending ? sql`desc` : sql`asc`;
  const comparison = order.isDescending ? sql`<` : sql`>`;
  return tx.all(SortedWorkflowIssue)`
    select ${issueColumns(caller)}, ${column}::text as "sortKey" from workflow_issue as issue
    where ${conditions(caller, filters)}
      ${after ? sql`and (${column}, issue.id) ${comparison} (${after[0]}::${type}, ${after[1]}::bigint)` : emptySql}
    order by ${column} ${direction}, issue.id ${direction}
    limit ${limit + 1}`;
}

const CountRow = z.object({ count: count() });

export async function countMatching(tx: Tx, caller: Caller, filters: WorkflowIssueFilter): Promise<number> {
  const row = await tx.one(CountRow)`
    select count(*) as count from workflow_issue as issue where ${conditions(caller, filters)}`;
  return row?.count ?? 0;
}
