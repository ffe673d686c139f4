import { z } from 'zod';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { episodeClassAt, episodeDecisionAt } from '../filter/episode-class.ts';

/** The facts of an episode at its start. */
export interface EpisodeStart {
  project: string;
  issue: string;
  rule: string;
  category: string;
  findingType: string;
  severity: string;
  confidence?: string;
  reachability?: string;
  validity?: string;
  aiVerdict?: string;
  deploymentStatus?: string;
  publicExposure?: string;
  /** The policy in force required a comment or a block. */
  isEligible: boolean;
  at: Date;
}

const CreatedEpisode = z.object({ id: z.string(), issue_key: z.string() });

/** Starts an episode for each issue without a running one; returns the ids of new episodes by issue. */
export async function startEpisodes(
  tx: Tx,
  deployment: string,
  starts: readonly EpisodeStart[],
): Promise<Map<string, string>> {
  const rows = starts.map((start) => ({
    project_id: start.project,
    issue_key: start.issue,
    rule_id: start.rule,
    category: start.category,
    finding_type: start.findingType,
    severity: start.severity,
    confidence: start.confidence ?? 'FINDING_CONFIDENCE_HIGH',
    reachability: start.reachability ?? 'FINDING_REACHABILITY_NO_REACHABILITY_ANALYSIS',
    validity: start.validity ?? 'FINDING_VALIDITY_NO_VALIDATOR',
    ai_verdict: start.aiVerdict ?? 'VERDICT_NO_VERDICT',
    deployment_status: start.deploymentStatus ?? 'DEPLOYMENT_STATUS_UNKNOWN',
    public_exposure: start.publicExposure ?? 'PUBLIC_EXPOSURE_UNKNOWN',
    is_eligible: start.isEligible,
    started_at: start.at,
  }));
  const created = await tx.all(CreatedEpisode)`
    insert into guardrail_episode (deployment_id, project_id, issue_key, number, rule_id, category, finding_type,
      severity, confidence, reachability, validity, ai_verdict, deployment_status, public_exposure, is_eligible,
      started_at)
    select ${deployment}, project_id, issue_key,
      1 + (select count(*) from guardrail_episode as earlier
           where earlier.deployment_id = ${unestimated(deployment)} and earlier.issue_key = start.issue_key),
      rule_id, category, finding_type, severity, confidence, reachability, validity, ai_verdict, deployment_status,
      public_exposure, is_eligible, started_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as start (project_id bigint, issue_key text,
      rule_id text, category text, finding_type text, severity text, confidence text, reachability text,
      validity text, ai_verdict text, deployment_status text, public_exposure text, is_eligible boolean,
      started_at timestamptz)
    order by issue_key collate "C"
    on conflict do nothing
    returning id, issue_key`;
  return new Map(created.map(({ issue_key: issue, id }) => [issue, id]));
}

/** Locks running episodes in id order, so that an end sees every earlier decision. */
async function lockRunning(tx: Tx, deployment: string, episodes: readonly string[]): Promise<void> {
  await tx.rows`
    select from guardrail_episode
    where deployment_id = ${unestimated(deployment)} and id = any(${episodes}::bigint[]) and ended_at is null
    order by id for no key update`;
}

export interface EpisodeMoment {
  episode: string;
  at: Date;
}

/** The finding was shown to the developer; the first time counts. Ended episodes do not change. */
export async function markEpisodesShown(tx: Tx, deployment: string, shown: readonly EpisodeMoment[]): Promise<void> {
  const episodes = shown.map(({ episode }) => episode);
  await lockRunning(tx, deployment, episodes);
  await tx.run`
    update guardrail_episode as episode set shown_at = least(episode.shown_at, shown.at)
    from unnest(${episodes}::bigint[], ${shown.map(({ at }) => at.toISOString())}::timestamptz[]) as shown (id, at)
    where episode.deployment_id = ${unestimated(deployment)} and episode.id = shown.id and episode.ended_at is null`;
}

/** The comment was deliberately not posted. */
export async function markEpisodeSilenced(
  tx: Tx,
  deployment: string,
  withheld: EpisodeMoment & { reason: string },
): Promise<void> {
  await lockRunning(tx, deployment, [withheld.episode]);
  await tx.run`
    update guardrail_episode set silenced_at = ${withheld.at}, silence_reason = ${withheld.reason}
    where deployment_id = ${unestimated(deployment)} and id = ${withheld.episode} and ended_at is null
      and silenced_at is null`;
}

export interface EpisodeDecision extends EpisodeMoment {
  state: 'open' | 'reopened' | 'reviewing' | 'fixing' | 'ignored' | 'provisionally_ignored';
  expiresAt?: Date;
}

/** Records triage decisions that were made while an episode was running. */
export async function recordEpisodeDecisions(
  tx: Tx,
  deployment: string,
  decisions: readonly EpisodeDecision[],
): Promise<void> {
  const rows = decisions.map(({ episode, at, state, expiresAt }) => ({ id: episode, at, state, expires: expiresAt }));
  await lockRunning(
    tx,
    deployment,
    decisions.map(({ episode }) => episode),
  );
  await tx.run`
    with kept as (
      insert into guardrail_decision (deployment_id, episode_id, decided_at, state, expires_at)
      select distinct on (episode.id, decision.at) episode.deployment_id, episode.id, decision.at, decision.state,
        decision.expires
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as decision (id bigint, at timestamptz, state text, expires timestamptz)
      join guardrail_episode as episode on episode.deployment_id = ${unestimated(deployment)}
        and episode.id = decision.id
      where episode.ended_at is null
      on conflict (deployment_id, episode_id, decided_at)
        do update set state = excluded.state, expires_at = excluded.expires_at
      returning *
    ),
    latest as (select distinct on (episode_id) * from kept order by episode_id, decided_at desc)
    update guardrail_episode as episode
    set decided_at = latest.decided_at, decided_state = latest.state, decided_until = latest.expires_at
    from latest
    where episode.deployment_id = ${unestimated(deployment)} and episode.id = latest.episode_id
      and (episode.decided_at is null or episode.decided_at <= latest.decided_at)`;
}

export interface EpisodeEnd extends EpisodeMoment {
  reason: 'fixed' | 'landed' | 'abandoned';
}

const endEpisodesSql = sql`
  update guardrail_episode as episode
  set ended_at = ending.at, end_reason = ending.reason, end_class = ending.end_class
  from ending where episode.deployment_id = ending.deployment_id and episode.id = ending.id
  returning episode.*`;

const addDailyCountsSql = sql`
  insert into guardrail_day (deployment_id, start_day, project_id, silenced, open, fixed, ignored,
    provisionally_ignored)
  select deployment_id, date_trunc('day', started_at, 'UTC') as start_day, project_id,
    count(*) filter (where end_class = 'silenced'), count(*) filter (where end_class = 'open'),
    count(*) filter (where end_class = 'fixed'), count(*) filter (where end_class = 'ignored'),
    count(*) filter (where end_class = 'provisionally_ignored')
  from ended where end_class is not null
  group by deployment_id, start_day, project_id
  order by start_day, project_id
  on conflict (deployment_id, start_day, project_id) do update
    set silenced = guardrail_day.silenced + excluded.silenced, open = guardrail_day.open + excluded.open,
        fixed = guardrail_day.fixed + excluded.fixed, ignored = guardrail_day.ignored + excluded.ignored,
        provisionally_ignored = guardrail_day.provisionally_ignored + excluded.provisionally_ignored`;

const addCarryoverSql = sql`
  insert into guardrail_carryover (deployment_id, week, ended_at, episode_id, project_id, started_at, shown_at,
    decided_at, decided_state, decided_until, end_class)
  select deployment_id, week, ended_at, id, project_id, started_at, shown_at, decided_at, decided_state, decided_until,
    end_class
  from ended, generate_series(
    date_trunc('week', started_at, 'UTC') + interval '7 days', ended_at, interval '7 days') as week
  where is_eligible`;

/**
 * Ends episodes: fixes their final class and adds them to the daily counts. Episodes that have already ended do not
 * change.
 */
export async function endEpisodes(tx: Tx, deployment: string, endings: readonly EpisodeEnd[]): Promise<number> {
  const episodes = endings.map(({ episode }) => episode);
  await lockRunning(tx, deployment, episodes);
  const row = await tx.one(RowCount)`
    with ending as (
      select episode.deployment_id, episode.id, requested.at, requested.reason,
        case when episode.is_eligible and requested.reason <> 'abandoned'
             then ${episodeClassAt(sql`requested.at`, sql`requested.reason = 'fixed'`)} end as end_class
      from unnest(${episodes}::bigint[], ${endings.map(({ at }) => at.toISOString())}::timestamptz[],
        ${endings.map(({ reason }) => reason)}::text[]) as requested (id, at, reason)
      join guardrail_episode as episode on episode.deployment_id = ${unestimated(deployment)}
        and episode.id = requested.id
      ${episodeDecisionAt(sql`requested.at`)}
      where episode.ended_at is null and requested.at >= episode.started_at
    ),
    ended as (${endEpisodesSql}), rolled_up as (${addDailyCountsSql}), carried_over as (${addCarryoverSql})
    select count(*) as count from ended`;
  return row?.count ?? 0;
}
