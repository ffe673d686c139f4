import type { z } from 'zod';
import { filterSql } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import type { RuleboardRecord } from '#domain/policies/ruleboards.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { RuleFindingCount } from './contract.ts';

export interface FindingCountOptions {
  /** The paths of the rules. */
  rules: readonly string[];
  asking: CallerContext;
  since: Date | undefined;
  until: Date | undefined;
}

/** Findings in the projects of a board: the assigned projects, or for a default board all projects. */
const isOnBoard = ({ id, isDefault }: RuleboardRecord, deployment: string) =>
  isDefault
    ? sql`true`
    : sql`finding.project_id in (select project_id from ruleboard_project
        where deployment_id = ${deployment} and ruleboard_id = ${id})`;

/** The number of findings of each rule in the projects of the board, and the rates of fixed and ignored ones. */
export const countFindings = (
  tx: Tx,
  board: RuleboardRecord,
  { rules, asking, since, until }: FindingCountOptions,
): Promise<z.output<typeof RuleFindingCount>[]> => {
  const { deployment } = asking.caller;
  const relevant =
    since || until ? { relevantSince: [{ ...(since && { from: since }), ...(until && { to: until }) }] } : {};
  return tx.all(RuleFindingCount)`
    select rule.path as "ruleName", count(finding.id) filter (where finding.status = 'open') as open,
      count(finding.id) as total,
      coalesce(avg((finding.status = 'fixed')::integer), 0)::double precision as "fixRate",
      coalesce(avg((finding.status = 'ignored')::integer), 0)::double precision as "ignoreRate"
    from unnest(${rules}::text[]) as rule (path)
    left join finding on finding.rule = regexp_replace(rule.path, '^r/', '')
      and (finding.product = 'secrets') = ${board.product === 'secrets'} and ${isOnBoard(board, deployment)}
      and ${filterSql(relevant, asking)}
    group by rule.path order by rule.path collate "C"`;
};
