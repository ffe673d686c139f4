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
const TALLIED: ReadonlySet<string> = new Set<keyof FindingCriteria>([
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
const TALLIED_WORDS: ReadonlySet<IsValue> = new Set<IsValue>([
  'ignored_by_people',
  'ignored_in_code',
  'reopened',
  'flapping',
  'held',
  'muted',
]);

/** Criteria that hourly counts support. */
const HOURLY: ReadonlySet<string> = new Set<keyof FindingCriteria>([
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
function looksOnlyAt(filter: FindingFilter, members: ReadonlySet<string>, words: ReadonlySet<IsValue>): boolean {
  const { and = [], without = [], isArchived: _, isAnywhere = false, isByRef: __, ...own } = filter;
  if (isAnywhere || refScopeOf(filter).ref !== undefined) return false;
  return [own, ...and, ...without].every(
    (wants) =>
      Object.keys(wants).every((name) => members.has(name)) &&
      (wants.is ?? []).every((word) => isStatus(word) || words.has(word)),
  );
}

/** The cheapest source that supports a filter. */
export const countSourceOf = (filter: FindingFilter): CountSource =>
  looksOnlyAt(filter, TALLIED, TALLIED_WORDS) ? TALLY : FINDING_ROWS;

/** True if hourly counts support a filter. */
export const hasHourlyCounts = (filter: FindingFilter): boolean => looksOnlyAt(filter, HOURLY, new Set());

/** The number of findings of a source, optionally only those that meet a condition. */
export const countSql = ({ isTally }: CountSource, condition?: Sql): Sql => {
  const filter = condition ? sql`filter (where ${condition})` : sql``;
  return isTally ? sql`coalesce(sum(finding.count) ${filter}, 0)::integer` : sql`(count(*) ${filter})::integer`;
};

const PERIOD_MS = 60_000;
const fold = job({ kind: 'finding.fold', payload: {}, isUrgent: false });

export const tallySchedule = every(PERIOD_MS, fold, {});

/** Tables of signed counts: the columns that identify a tally, and the column by which rows are compacted in parts. */
const FOLDED = [
  {
    table: sql`finding_tally`,
    kind: sql`deployment_id, project_id, product, tool, rule, category, cwes, severity, confidence, package, advisory,
      secret_type, status, triage_state, triage_reason, is_muted, is_held, is_flapping, is_malicious, reopened_count`,
    part: sql`rule`,
  },
  {
    table: sql`finding_hour`,
    kind: sql`deployment_id, project_id, hour, is_end, product, status, severity`,
    part: sql`hour`,
  },
];

/** Merges new rows of a project into one row per tally. Rows added concurrently are left for the next run. */
async function foldProject(tx: Tx, deployment: string, project: string): Promise<void> {
  const own = sql`deployment_id = ${deployment} and project_id = ${project}`;
  for (const { table, kind, part } of FOLDED)
    await tx.run`
      with gone as (
        delete from ${table} where ${own}
          and ${part} in (select ${part} from ${table} where ${own} and not is_compacted) returning *
      )
      insert into ${table} (${kind}, count, is_compacted)
      select ${kind}, sum(count), true from gone group by ${kind} having sum(count) <> 0`;
}

/** Compacts the new rows of all projects, one transaction per project. */
export async function compactTallies(db: Database, signal?: AbortSignal): Promise<void> {
  const rows = await db.transaction(
    { role: 'background', isRead: true },
    (tx) => tx.rows`
      select deployment_id, project_id from finding_tally where not is_compacted
      union select deployment_id, project_id from finding_hour where not is_compacted`,
  );
  for (const row of rows) {
    if (signal?.aborted) return;
    const [deployment, project] = [String(row['deployment_id']), String(row['project_id'])];
    await db.transaction({ role: 'app', deployment, isRead: false }, (tx) => foldProject(tx, deployment, project));
  }
}

export const tallyHandler = (db: Database): JobHandler =>
  jobHandler(fold, async ({ signal }) => compactTallies(db, signal));
