import { type Sql, sql } from '#kernel/db/query/sql.ts';

const earlier = (column: Sql, moment: Sql): Sql => sql`
  (select ${column} from guardrail_decision as decision
   where decision.deployment_id = episode.deployment_id and decision.episode_id = episode.id
     and decision.decided_at <= ${moment}
   order by decision.decided_at desc limit 1)`;

/**
 * The decision about `episode` that was in force at a moment, as a lateral join named `decided`. The latest decision is
 * stored on the episode itself; an earlier one is looked up only for a moment before it, and a CASE evaluates that
 * subquery only when needed.
 */
export const episodeDecisionAt = (moment: Sql): Sql => sql`
  cross join lateral (
    select case when episode.decided_at <= ${moment} then episode.decided_state
                when episode.decided_at > ${moment} then ${earlier(sql`decision.state`, moment)} end as state,
      case when episode.decided_at <= ${moment} then episode.decided_until
           when episode.decided_at > ${moment} then ${earlier(sql`decision.expires_at`, moment)} end as expires_at
  ) as decided`;

/** The class of `episode` at a moment, with `decided` joined; always one of five. */
export const episodeClassAt = (moment: Sql, isFixed: Sql): Sql => sql`
  case when episode.shown_at is null or episode.shown_at > ${moment} then 'silenced'
       when ${isFixed} then 'fixed'
       when decided.expires_at <= ${moment} then 'open'
       when decided.state in ('ignored', 'provisionally_ignored') then decided.state
       else 'open' end`;
