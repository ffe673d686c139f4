import { z } from 'zod';
import type { Database } from '#kernel/db/database.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';
import { every } from '#kernel/jobs/schedule.ts';
import { refScopeOf } from '../filter/filter-sql.ts';
import { isStatus } from '../filter/finding-conditions.ts';
import type { FindingCriteria, FindingFilter, IsValue } from '../filter/finding-filter.ts';

/** Where findings are counted: single rows, or pre-aggregated tallies. */
export interface CountSource {
  /** Aliased as `finding`, so that the same conditions apply. */
  from: Sql;
  /** The number of findings that a row represents. */
  weight: Sql;
  isTally: boolean;
}

export const FINDING_ROWS: CountSource = { from: sql`finding`, weight: sql`1`, isTally: false };
const TALLY: CountSource = { from: sql`finding_tally as finding`, weight: sql`finding.count`, isTally: true };

/** Criteria that tallies support. */
const TALLY_CRITERIA: ReadonlySet<string> = new Set<keyof FindingCriteria>([
  'products',
  'is',
  'reasons',
  'severities',
  'confidences',
  'rules',
  'categories',
  'packages',
  'tools',
  'projectIds',
  'projects',
  'tags',
  'teams',
  'cwes',
  'secretTypes',
  'isImpossible',
]);
const TALLY_IS_VALUES: ReadonlySet<IsValue> = new Set<IsValue>([
  'ignored_by_people',
  'ignored_in_code',
  'reopened',
  'flapping',
  'held',
  'muted',
]);

/** Criteria that hourly counts support. */
const HOURLY_CRITERIA: ReadonlySet<string> = new Set<keyof FindingCriteria>([
  'products',
  'is',
  'severities',
  'projectIds',
  'projects',
  'tags',
  'teams',
  'isImpossible',
]);

/** True if a filter uses only these members, and in `is` only statuses and these values. */
function usesOnly(filter: FindingFilter, members: ReadonlySet<string>, values: ReadonlySet<IsValue>): boolean {
  const { and = [], without = [], isArchived: _, isAnywhere = false, isByRef: __, ...own } = filter;
  if (isAnywhere || refScopeOf(filter).ref !== undefined) return false;
  return [own, ...and, ...without].every(
    (criteria) =>
      Object.keys(criteria).every((name) => members.has(name)) &&
      (criteria.is ?? []).every((value) => isStatus(value) || values.has(value)),
  );
}

/** The cheapest source that supports a filter. */
export const countSourceOf = (filter: FindingFilter): CountSource =>
  usesOnly(filter, TALLY_CRITERIA, TALLY_IS_VALUES) ? TALLY : FINDING_ROWS;

/** True if hourly counts support a filter. */
export const hasHourlyCounts = (filter: FindingFilter): boolean => usesOnly(filter, HOURLY_CRITERIA, new Set());

/** The number of findings of a source, optionally only those that meet a condition. */
export const countSql = ({ isTally }: CountSource, condition?: Sql): Sql => {
  const filter = condition ? sql`filter (where ${condition})` : sql``;
  return isTally ? sql`coalesce(sum(finding.count) ${filter}, 0)::integer` : sql`(count(*) ${filter})::integer`;
};

const INTERVAL_MS = 60_000;
const compact = job({ kind: 'finding.fold', payload: {}, isUrgent: false });

export const tallySchedule = every(INTERVAL_MS, compact, {});

/** Tables of signed counts: the columns that identify a tally, and the column by which rows are compacted in parts. */
const TALLY_TABLES = [
  {
    table: sql`finding_tally`,
    key: sql`deployment_id, project_id, product, tool, rule, category, cwes, severity, confidence, package, advisory,
      secret_type, status, triage_state, triage_reason, is_muted, is_held, is_flapping, is_malicious, reopened_count`,
    part: sql`rule`,
  },
  {
    table: sql`finding_hour`,
    key: sql`deployment_id, project_id, hour, is_end, product, status, severity`,
    part: sql`hour`,
  },
];

/** Merges new rows of a project into one row per tally. Rows added concurrently are left for the next run. */
async function compactProject(tx: Tx, deployment: string, project: string): Promise<void> {
  const ofProject = sql`deployment_id = ${deployment} and project_id = ${project}`;
  for (const { table, key, part } of TALLY_TABLES)
    await tx.run`
      with removed as (
        delete from ${table} where ${ofProject}
          and ${part} in (select ${part} from ${table} where ${ofProject} and not is_compacted) returning *
      )
      insert into ${table} (${key}, count, is_compacted)
      select ${key}, sum(count), true from removed group by ${key} having sum(count) <> 0`;
}

const UncompactedProject = z.object({ deployment_id: z.string(), project_id: z.string() });

/** Compacts the new rows of all projects, one transaction per project. */
export async function compactTallies(db: Database, signal?: AbortSignal): Promise<void> {
  const rows = await db.transaction(
    { role: 'background', isRead: true },
    (tx) => tx.all(UncompactedProject)`
      select deployment_id, project_id from finding_tally where not is_compacted
      union select deployment_id, project_id from finding_hour where not is_compacted`,
  );
  for (const { deployment_id: deployment, project_id: project } of rows) {
    if (signal?.aborted) return;
    await db.transaction({ role: 'app', deployment, isRead: false }, (tx) => compactProject(tx, deployment, project));
  }
}

export const tallyHandler = (db: Database): JobHandler =>
  jobHandler(compact, async ({ signal }) => compactTallies(db, signal));
