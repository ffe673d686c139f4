import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { issueFilterSql, issueIgnoreReason, issueStateIs } from '#domain/workflow-issues/issue-conditions.ts';
import { type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type AllFindingsQuery, filtersByKind } from '../all-findings/merged-list.ts';
import { countByState, type IssueCounts } from './queries.ts';

const number = (condition: Sql) => sql`count(*) filter (where ${condition})::integer`;
const isIgnored = issueStateIs(['ignored']);
const ignored = (name: string) => number(sql`${isIgnored} and ${issueIgnoreReason} = ${name}`);

const NONE: IssueCounts = {
  ...{ open: 0, ignored: 0, ignoredFalsePositive: 0, ignoredAcceptableRisk: 0, ignoredNoTime: 0 },
  ...{ ignoredNoTriageReason: 0, closed: 0, reviewing: 0, fixing: 0, provisionallyIgnored: 0, ignoredDuplicate: 0 },
  ...{ ignoredCode: 0, archived: 0 },
};

/** How many issues of both kinds there are in each state. */
export async function countAllByState(tx: Tx, asking: CallerContext, question: AllFindingsQuery): Promise<IssueCounts> {
  const { issue, workflow } = filtersByKind(question, asking.now);
  const own = issue ? await countByState(tx, asking, issue) : NONE;
  if (!workflow) return own;
  const archived = unprepared(issueFilterSql({ ...workflow, isArchived: true }, asking));
  const [row] = await tx.rows`
    select ${number(issueStateIs(['open']))} as open, ${number(isIgnored)} as ignored,
      ${ignored('false_positive')} as "ignoredFalsePositive", ${ignored('acceptable_risk')} as "ignoredAcceptableRisk",
      ${ignored('no_time')} as "ignoredNoTime", ${ignored('no_triage_reason')} as "ignoredNoTriageReason",
      ${number(issueStateIs(['fixed']))} as closed, ${number(issueStateIs(['reviewing']))} as reviewing,
      ${number(issueStateIs(['fixing']))} as fixing, ${number(issueStateIs(['provisionally_ignored']))} as "provisionallyIgnored",
      (select count(*)::integer from workflow_issue as issue where ${archived}) as archived
    from workflow_issue as issue where ${unprepared(issueFilterSql(workflow, asking))}`;
  const names = Object.keys(NONE) as (keyof IssueCounts)[];
  return Object.fromEntries(names.map((name) => [name, Number(own[name]) + Number(row?.[name] ?? 0)])) as IssueCounts;
}
