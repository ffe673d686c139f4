import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { issueFilterSql, issueIgnoreReason, issueStateIs } from '#domain/workflow-issues/issue-conditions.ts';
import { type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type AllFindingsQuery, filtersByKind } from '../all-findings/merged-list.ts';
import { countByState, type IssueCounts } from './queries.ts';

const number = (condition: Sql) => sql`count(*) filter (where ${condition})::integer`;
const isIgnored = issueStateIs(['ignored']);
const ignored = (name: string) => number(sql`${isIgnored} and ${issueIgnoreReason} = ${name}`);

const ZERO_COUNTS: IssueCounts = {
  ...{ open: 0, ignored: 0, ignoredFalsePositive: 0, ignoredAcceptableRisk: 0, ignoredNoTime: 0 },
  ...{ ignoredNoTriageReason: 0, closed: 0, reviewing: 0, fixing: 0, provisionallyIgnored: 0, ignoredDuplicate: 0 },
  ...{ ignoredCode: 0, archived: 0 },
};

/** Workflow issues cannot be duplicates or muted in code. */
const WorkflowCountsRow = z.object({
  open: z.int(),
  ignored: z.int(),
  ignoredFalsePositive: z.int(),
  ignoredAcceptableRisk: z.int(),
  ignoredNoTime: z.int(),
  ignoredNoTriageReason: z.int(),
  closed: z.int(),
  reviewing: z.int(),
  fixing: z.int(),
  provisionallyIgnored: z.int(),
  archived: z.int(),
});

/** Counts findings and workflow issues by state. */
export async function countAllByState(tx: Tx, context: CallerContext, query: AllFindingsQuery): Promise<IssueCounts> {
  const { issue, workflow } = filtersByKind(query, context.now);
  const ofFindings = issue ? await countByState(tx, context, issue) : ZERO_COUNTS;
  if (!workflow) return ofFindings;
  const archived = unprepared(issueFilterSql({ ...workflow, isArchived: true }, context));
  const ofWorkflows: Partial<IssueCounts> | undefined = await tx.one(WorkflowCountsRow)`
    select ${number(issueStateIs(['open']))} as open, ${number(isIgnored)} as ignored,
      ${ignored('false_positive')} as "ignoredFalsePositive", ${ignored('acceptable_risk')} as "ignoredAcceptableRisk",
      ${ignored('no_time')} as "ignoredNoTime", ${ignored('no_triage_reason')} as "ignoredNoTriageReason",
      ${number(issueStateIs(['fixed']))} as closed, ${number(issueStateIs(['reviewing']))} as reviewing,
      ${number(issueStateIs(['fixing']))} as fixing,
      ${number(issueStateIs(['provisionally_ignored']))} as "provisionallyIgnored",
      (select count(*)::integer from workflow_issue as issue where ${archived}) as archived
    from workflow_issue as issue where ${unprepared(issueFilterSql(workflow, context))}`;
  const names = Object.keys(ZERO_COUNTS) as (keyof IssueCounts)[];
  const sums = names.map((name) => [name, ofFindings[name] + (ofWorkflows?.[name] ?? 0)]);
  return Object.fromEntries(sums) as IssueCounts;
}
