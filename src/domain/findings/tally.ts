import type { Database } from '#kernel/db/database.ts';
import { type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Handler, handler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';
import { every } from '#kernel/jobs/schedule.ts';
import { isStatus } from './conditions.ts';
import { contextOf, type Filter, type IsWord, type Wants } from './filter.ts';

/** Where findings are counted: each of them, or sums of those that are alike. */
export interface Source {
  /** Is named `finding`, so that the same conditions hold for it. */
  from: Sql;
  /** How many findings a row stands for. */
  weight: Sql;
  isTally: boolean;
}

export const EACH: Source = { from: sql`finding`, weight: sql`1`, isTally: false };
const TALLY: Source = { from: sql`finding_tally as finding`, weight: sql`finding.count`, isTally: true };

/** The wants that tallies can meet, because they keep what those look at. */
const TALLIED: ReadonlySet<string> = new Set<keyof Wants>([
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
  'isNever',
]);
const TALLIED_WORDS: ReadonlySet<IsWord> = new Set<IsWord>([
  'ignored_by_people',
  'ignored_in_code',
  'reopened',
  'flapping',
  'held',
  'muted',
]);

/** What the hours can tell apart. */
const HOURLY: ReadonlySet<string> = new Set<keyof Wants>([
  'products',
  'is',
  'severities',
  'projectIds',
  'projects',
  'tags',
  'teams',
  'isNever',
]);

/** True when a filter looks at nothing but these members, and in `is` at statuses and these words. */
function looksOnlyAt(filter: Filter, members: ReadonlySet<string>, words: ReadonlySet<IsWord>): boolean {
  const { and = [], without = [], isArchived: _, isAnywhere = false, isByRef: __, ...own } = filter;
  if (isAnywhere || contextOf(filter).ref !== undefined) return false;
  return [own, ...and, ...without].every(
    (wants) =>
      Object.keys(wants).every((name) => members.has(name)) &&
      (wants.is ?? []).every((word) => isStatus(word) || words.has(word)),
  );
}

/** The source that can count what a filter wants with the least to read. */
export const sourceOf = (filter: Filter): Source => (looksOnlyAt(filter, TALLIED, TALLIED_WORDS) ? TALLY : EACH);

/** Whether the hours of findings tell what came and went of those that a filter wants. */
export const isHourly = (filter: Filter): boolean => looksOnlyAt(filter, HOURLY, new Set());

/** How many findings of a source there are, in all or of those that a condition names. */
export const numberOf = ({ isTally }: Source, condition?: Sql): Sql => {
  const filter = condition ? sql`filter (where ${condition})` : sql``;
  return isTally ? sql`coalesce(sum(finding.count) ${filter}, 0)::integer` : sql`(count(*) ${filter})::integer`;
};

const PERIOD_MS = 60_000;
const fold = job({ kind: 'finding.fold', payload: {}, isUrgent: false });

export const folding = every(PERIOD_MS, fold, {});

/** The tables that are added to; of each, what makes rows alike, and the column by which a few are folded at once. */
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

/** Makes one row of each kind of which a project has new ones. What others add meanwhile is left for the next time. */
async function foldProject(tx: Tx, deployment: string, project: string): Promise<void> {
  const own = sql`deployment_id = ${deployment} and project_id = ${project}`;
  for (const { table, kind, part } of FOLDED)
    await tx.run`
      with gone as (
        delete from ${table} where ${own}
          and ${part} in (select ${part} from ${table} where ${own} and not is_folded) returning *
      )
      insert into ${table} (${kind}, count, is_folded)
      select ${kind}, sum(count), true from gone group by ${kind} having sum(count) <> 0`;
}

/** Folds what is new of all projects, each in a transaction of its own. */
export async function foldAll(db: Database, signal?: AbortSignal): Promise<void> {
  const rows = await db.transaction(
    { role: 'keeper', isRead: true },
    (tx) => tx.rows`
      select deployment_id, project_id from finding_tally where not is_folded
      union select deployment_id, project_id from finding_hour where not is_folded`,
  );
  for (const row of rows) {
    if (signal?.aborted) return;
    const [deployment, project] = [String(row['deployment_id']), String(row['project_id'])];
    await db.transaction({ role: 'app', deployment, isRead: false }, (tx) => foldProject(tx, deployment, project));
  }
}

export const folder = (db: Database): Handler => handler(fold, async ({ signal }) => foldAll(db, signal));
