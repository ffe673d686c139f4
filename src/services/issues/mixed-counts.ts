import type { Asking } from '#domain/findings/filter.ts';
import { isWanted, reason, stateIs } from '#domain/workflow-issues/conditions.ts';
import { adHoc, type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Counts, counts } from './aggregates.ts';
import { filtersOf, type MixedQuestion } from './mixed.ts';

const number = (condition: Sql) => sql`count(*) filter (where ${condition})::integer`;
const isIgnored = stateIs(['ignored']);
const ignored = (name: string) => number(sql`${isIgnored} and ${reason} = ${name}`);

const NONE: Counts = {
  ...{ open: 0, ignored: 0, ignoredFalsePositive: 0, ignoredAcceptableRisk: 0, ignoredNoTime: 0 },
  ...{ ignoredNoTriageReason: 0, closed: 0, reviewing: 0, fixing: 0, provisionallyIgnored: 0, ignoredDuplicate: 0 },
  ...{ ignoredCode: 0, archived: 0 },
};

/** How many issues of both kinds there are in each state. */
export async function countsOfBoth(tx: Tx, asking: Asking, question: MixedQuestion): Promise<Counts> {
  const { issue, workflow } = filtersOf(question, asking.now);
  const own = issue ? await counts(tx, asking, issue) : NONE;
  if (!workflow) return own;
  const archived = adHoc(isWanted({ ...workflow, isArchived: true }, asking));
  const [row] = await tx.rows`
    select ${number(stateIs(['open']))} as open, ${number(isIgnored)} as ignored,
      ${ignored('false_positive')} as "ignoredFalsePositive", ${ignored('acceptable_risk')} as "ignoredAcceptableRisk",
      ${ignored('no_time')} as "ignoredNoTime", ${ignored('no_triage_reason')} as "ignoredNoTriageReason",
      ${number(stateIs(['fixed']))} as closed, ${number(stateIs(['reviewing']))} as reviewing,
      ${number(stateIs(['fixing']))} as fixing, ${number(stateIs(['provisionally_ignored']))} as "provisionallyIgnored",
      (select count(*)::integer from workflow_issue as issue where ${archived}) as archived
    from workflow_issue as issue where ${adHoc(isWanted(workflow, asking))}`;
  const names = Object.keys(NONE) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, Number(own[name]) + Number(row?.[name] ?? 0)])) as Counts;
}
