import { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { episodeClassAt, episodeDecisionAt } from '../filter/episode-class.ts';
import { type GuardrailQuery, guardrailProjects, matchesFacts } from './count-episodes.ts';

const RepeatCount = z.object({
  /** Index of the interval, starting at 1; absent for the total. */
  place: z.number().optional(),
  /** Absent for the total. */
  class: z.enum(['silenced', 'open', 'fixed', 'ignored', 'provisionally_ignored']).optional(),
  count: z.number(),
});
export type RepeatCount = z.output<typeof RepeatCount>;

/**
 * The number of episodes minus the number of distinct issues, per interval and class and in total. Only issues with
 * repeated episodes are read, which are few.
 */
export async function countRepeatedIssues(
  tx: Tx,
  caller: Caller,
  { since, asOf, byProject, byFact, edges }: GuardrailQuery & { edges: readonly Date[] },
): Promise<RepeatCount[]> {
  if (since >= asOf) return [];
  const moment = sql`${asOf}::timestamptz`;
  const visible = guardrailProjects(caller, byProject);
  const counted = sql`episode.deployment_id = ${caller.deployment} and episode.is_eligible
    and episode.started_at >= ${since} and episode.started_at < ${moment}
    ${visible.has(sql`episode.project_id`)} ${matchesFacts(byFact)}`;
  return tx.all(RepeatCount)`
    with visible as materialized (${visible.table}),
    repeated as materialized (
      select distinct episode.issue_key from guardrail_episode as episode where ${counted} and episode.number > 1
    ),
    classified as (
      select episode.issue_key,
        width_bucket(episode.started_at, ${edges.map((edge) => edge.toISOString())}::timestamptz[]) as place,
        case when episode.ended_at <= ${moment} then episode.end_class
             else ${episodeClassAt(moment, sql`false`)} end as class
      from repeated join guardrail_episode as episode on episode.issue_key = repeated.issue_key
      ${episodeDecisionAt(moment)}
      where ${counted}
    )
    select place, class, (count(*) - count(distinct issue_key))::int as count
    from classified where class is not null
    group by cube (place, class)
    having count(*) > count(distinct issue_key)`;
}
