import { type Sql, sql } from '#kernel/db/sql.ts';

/** The latest decision about `episode` at a moment, as a lateral join named `decided`. */
export const decisionAt = (moment: Sql): Sql => sql`
  left join lateral (
    select decision.state, decision.expires_at from guardrail_decision as decision
    where decision.deployment_id = episode.deployment_id and decision.episode_id = episode.id
      and decision.decided_at <= ${moment}
    order by decision.decided_at desc limit 1
  ) as decided on true`;

/** The class of `episode` at a moment, with `decided` joined; exactly one of five. */
export const classAt = (moment: Sql, isFixed: Sql): Sql => sql`
  case when episode.shown_at is null or episode.shown_at > ${moment} then 'silenced'
       when ${isFixed} then 'fixed'
       when decided.expires_at <= ${moment} then 'open'
       when decided.state in ('ignored', 'provisionally_ignored') then decided.state
       else 'open' end`;
