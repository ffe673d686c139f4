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

const isTallied = (wants: Wants): boolean =>
  Object.keys(wants).every((name) => TALLIED.has(name)) &&
  (wants.is ?? []).every((word) => isStatus(word) || TALLIED_WORDS.has(word));

/** The source that can count what a filter wants with the least to read. */
export function sourceOf(filter: Filter): Source {
  const { and = [], without = [], isArchived: _, isAnywhere = false, isByRef: __, ...own } = filter;
  const isPossible = !isAnywhere && contextOf(filter).ref === undefined;
  return isPossible && [own, ...and, ...without].every(isTallied) ? TALLY : EACH;
}

/** How many findings of a source there are, in all or of those that a condition names. */
export const numberOf = ({ isTally }: Source, condition?: Sql): Sql => {
  const filter = condition ? sql`filter (where ${condition})` : sql``;
  return isTally ? sql`coalesce(sum(finding.count) ${filter}, 0)::integer` : sql`(count(*) ${filter})::integer`;
};

const PERIOD_MS = 60_000;
const fold = job({ kind: 'finding.fold', payload: {}, isUrgent: false });

export const folding = every(PERIOD_MS, fold, {});

const kind = sql`deployment_id, project_id, product, tool, rule, category, cwes, severity, confidence, package, advisory,
  secret_type, status, triage_state, triage_reason, is_muted, is_held, is_flapping, is_malicious, reopened_count`;

/** Makes one row of each kind that a project has. Rows that others add meanwhile are left for the next time. */
export const foldProject = (tx: Tx, deployment: string, project: string): Promise<number> =>
  tx.run`
    with gone as (
      delete from finding_tally where deployment_id = ${deployment} and project_id = ${project} returning *
    )
    insert into finding_tally (${kind}, count, is_folded)
    select ${kind}, sum(count), true from gone group by ${kind} having sum(count) <> 0`;

/** Folds the tallies of all projects that have something new, each in a transaction of its own. */
export async function foldAll(db: Database, signal?: AbortSignal): Promise<void> {
  const rows = await db.transaction(
    { role: 'keeper', isRead: true },
    (tx) => tx.rows`select distinct deployment_id, project_id from finding_tally where not is_folded`,
  );
  for (const row of rows) {
    if (signal?.aborted) return;
    const [deployment, project] = [String(row['deployment_id']), String(row['project_id'])];
    await db.transaction({ role: 'app', deployment, isRead: false }, (tx) => foldProject(tx, deployment, project));
  }
}

export const folder = (db: Database): Handler => handler(fold, async ({ signal }) => foldAll(db, signal));
