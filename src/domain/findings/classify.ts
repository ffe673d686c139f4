import { type Sql, sql } from '#kernel/db/sql.ts';

/**
 * The decision about `episode` that held at a moment, as a lateral join named `decided`.
 * The latest one is on the episode itself; only a moment before it has to look for an earlier one.
 */
export const decisionAt = (moment: Sql): Sql => sql`
  left join lateral (
    select decision.state, decision.expires_at from guardrail_decision as decision
    where episode.decided_at > ${moment} and decision.deployment_id = episode.deployment_id
      and decision.episode_id = episode.id and decision.decided_at <= ${moment}
    order by decision.decided_at desc limit 1
  ) as earlier on true
  cross join lateral (
    select case when episode.decided_at <= ${moment} then episode.decided_state else earlier.state end as state,
      case when episode.decided_at <= ${moment} then episode.decided_until else earlier.expires_at end as expires_at
  ) as decided`;

/** The class of `episode` at a moment, with `decided` joined; exactly one of five. */
export const classAt = (moment: Sql, isFixed: Sql): Sql => sql`
  case when episode.shown_at is null or episode.shown_at > ${moment} then 'silenced'
       when ${isFixed} then 'fixed'
       when decided.expires_at <= ${moment} then 'open'
       when decided.state in ('ignored', 'provisionally_ignored') then decided.state
       else 'open' end`;
