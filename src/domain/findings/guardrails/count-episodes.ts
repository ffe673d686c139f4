import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { episodeClassAt, episodeDecisionAt } from '../filter/episode-class.ts';
import { PROJECT_CONDITIONS, projectsOfTeams } from '../filter/finding-conditions.ts';
import { exactMatches, matches, matchesIgnoringCase } from '../filter/text-match.ts';

export interface GuardrailProjectFilter {
  projects: readonly string[];
  projectIds: readonly string[];
  tags: readonly string[];
  teams: readonly string[];
}

/** Facts of an episode at its start, each with the accepted values; an empty list accepts all. */
export type EpisodeFactFilter = Record<keyof typeof FACTS, readonly string[]>;

export interface GuardrailQuery {
  since: Date;
  /** The moment at which states are evaluated; episodes that start later are not counted. */
  asOf: Date;
  now: Date;
  byProject: GuardrailProjectFilter;
  byFact: EpisodeFactFilter;
}

const GuardrailClass = z.enum(['silenced', 'open', 'fixed', 'ignored', 'provisionally_ignored']);
export type GuardrailClass = z.output<typeof GuardrailClass>;

const DayCountRow = z.object({ day: z.string(), class: GuardrailClass, count: z.coerce.number() });

export interface GuardrailDayCount {
  day: Date;
  class: GuardrailClass;
  count: number;
}

const FACTS = {
  findingTypes: sql`episode.finding_type`,
  findingSeverities: sql`episode.severity`,
  confidence: sql`episode.confidence`,
  reachability: sql`episode.reachability`,
  validity: sql`episode.validity`,
  ruleIds: sql`episode.rule_id`,
  aiVerdicts: sql`episode.ai_verdict`,
  deploymentStatuses: sql`episode.deployment_status`,
  publicExposures: sql`episode.public_exposure`,
  findingCategories: sql`episode.category`,
};

/** The UTC day by arithmetic: date_trunc would look the time zone up for every row. */
const START_DAY = sql`date_bin('1 day', episode.started_at, '2000-01-01T00:00:00Z')`;

const DAY_MS = 24 * 3600 * 1000;
const dayOf = (time: number) => Math.floor(time / DAY_MS) * DAY_MS;
/** 5 January 1970 was a Monday. */
const weekOf = (time: number) => Math.floor((time - 4 * DAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + 4 * DAY_MS;

/** Projects by name or id, and by their current tags and teams, as in the filter grammar. */
function projectConditions(caller: Caller, { projects, projectIds, tags, teams }: GuardrailProjectFilter): Sql {
  const named = sql`and (project.id in (${PROJECT_CONDITIONS.projects(exactMatches(projects))})
    or project.id::text = any(${projectIds}::text[]))`;
  const isTeam = sql`(team.id::text = any(${teams}::text[])
    or ${matchesIgnoringCase(sql`team.name`, exactMatches(teams))}
    or ${matches(sql`team.slug`, exactMatches(teams))})`;
  return sql`
    ${projects.length + projectIds.length > 0 ? named : emptySql}
    ${tags.length > 0 ? sql`and project.id in (${PROJECT_CONDITIONS.tags(exactMatches(tags))})` : emptySql}
    ${teams.length > 0 ? sql`and project.id in (${projectsOfTeams(isTeam, caller)})` : emptySql}`;
}

/** The projects that match and are visible to the caller (AZN-08), and a condition that a column is one of them. */
export function guardrailProjects(caller: Caller, filter: GuardrailProjectFilter) {
  const isUnfiltered = Object.values(filter).every((values: readonly string[]) => values.length === 0);
  if (caller.seesEverything && isUnfiltered) return { table: sql`select 0::bigint as id`, has: () => emptySql };
  const table = sql`select project.id from project
    where project.deployment_id = ${caller.deployment} and ${projectVisibilitySql(caller)}
      ${projectConditions(caller, filter)}`;
  return { table, has: (column: Sql) => sql`and ${column} in (select visible.id from visible)` };
}

/** Counts episodes per start day and class, as of a moment. */
export async function countEpisodes(tx: Tx, caller: Caller, query: GuardrailQuery): Promise<GuardrailDayCount[]> {
  if (query.since >= query.asOf) return [];
  const hasFacts = Object.values(query.byFact).some((values: readonly string[]) => values.length > 0);
  const rows = hasFacts ? await readEpisodes(tx, caller, query) : await readDailyCounts(tx, caller, query);
  return rows.map(({ day, ...counted }) => ({ day: new Date(day), ...counted }));
}

/** A condition on `episode`, to be appended to others: its facts match. */
export const matchesFacts = (byFact: EpisodeFactFilter): Sql =>
  (Object.keys(FACTS) as (keyof typeof FACTS)[]).reduce(
    (before, fact) => sql`${before} and (cardinality(${byFact[fact]}::text[]) = 0
      or ${FACTS[fact]} = any(${byFact[fact]}::text[]))`,
    emptySql,
  );

/** Reads each episode of the period, for filters that the daily counts do not support. */
function readEpisodes(tx: Tx, caller: Caller, { since, asOf, byProject, byFact }: GuardrailQuery) {
  const moment = sql`${asOf}::timestamptz`;
  const visible = guardrailProjects(caller, byProject);
  return tx.all(DayCountRow)`
    with visible as materialized (${visible.table})
    select day, class, count(*) as count from (
      select ${START_DAY} as day,
        case when episode.ended_at <= ${moment} then episode.end_class
             else ${episodeClassAt(moment, sql`false`)} end as class
      from guardrail_episode as episode ${episodeDecisionAt(moment)}
      where episode.deployment_id = ${caller.deployment} and episode.is_eligible
        and episode.started_at >= ${since} and episode.started_at < ${moment}
        ${visible.has(sql`episode.project_id`)} ${matchesFacts(byFact)}) as classified
    where class is not null
    group by day, class`;
}

const at = (time: number) => sql`${new Date(time).toISOString()}::timestamptz`;

interface EpisodeScope {
  deployment: string;
  /** A condition that a project column matches and is visible. */
  has: (column: Sql) => Sql;
  since: Sql;
  moment: Sql;
}

const columnsOf = (source: Sql, id: Sql) => sql`${source}.deployment_id, ${id} as id, ${source}.started_at,
  ${source}.shown_at, ${source}.decided_at, ${source}.decided_state, ${source}.decided_until, ${source}.end_class`;
const EPISODE_COLUMNS = columnsOf(sql`episode`, sql`episode.id`);
const CARRYOVER_COLUMNS = columnsOf(sql`carryover`, sql`carryover.episode_id`);

/** Ended episodes that were still running at the moment: found by end time if it is recent, otherwise by week. */
function endedLater({ deployment, has, since, moment }: EpisodeScope, asOf: Date, now: Date): Sql {
  if (now.getTime() - asOf.getTime() < DAY_MS)
    // OFFSET keeps the planner from reading the whole period to find the few that ended within a day.
    return sql`
      select ${EPISODE_COLUMNS} from (
        select * from guardrail_episode as recent
        where recent.deployment_id = ${deployment} and recent.is_eligible and recent.ended_at > ${moment} offset 0
      ) as episode
      where episode.started_at >= ${since} and episode.started_at < ${moment} ${has(sql`episode.project_id`)}`;
  const week = at(weekOf(asOf.getTime()));
  return sql`
    select ${EPISODE_COLUMNS} from guardrail_episode as episode
    where episode.deployment_id = ${deployment} and episode.is_eligible and episode.ended_at > ${moment}
      and episode.started_at >= greatest(${since}, ${week}) and episode.started_at < ${moment}
      ${has(sql`episode.project_id`)}
    union all
    select ${CARRYOVER_COLUMNS} from guardrail_carryover as carryover
    where carryover.deployment_id = ${deployment} and carryover.week = ${week} and carryover.ended_at > ${moment}
      and carryover.started_at >= ${since} ${has(sql`carryover.project_id`)}`;
}

/**
 * Whole days come from the daily counts and the partial days at both ends from the index. Episodes that had not ended
 * at the as-of moment are counted by their class at that moment, and subtracted where the daily counts include them by
 * their later class.
 */
function readDailyCounts(tx: Tx, caller: Caller, { since, asOf, now, byProject }: GuardrailQuery) {
  const { deployment } = caller;
  const [start, moment] = [at(since.getTime()), at(asOf.getTime())];
  const firstDay = dayOf(since.getTime() + DAY_MS - 1);
  const lastDay = Math.max(firstDay, dayOf(asOf.getTime()));
  const headEnd = Math.min(firstDay, asOf.getTime());
  const tailStart = Math.max(headEnd, lastDay);
  const visible = guardrailProjects(caller, byProject);
  const seen = sql`episode.deployment_id = ${deployment} and episode.is_eligible
    ${visible.has(sql`episode.project_id`)}`;
  const ended = (from: Sql, to: Sql) => sql`
    select ${START_DAY} as day, episode.end_class as class, count(*) as count
    from guardrail_episode as episode
    where ${seen} and episode.end_class is not null and episode.started_at >= ${from} and episode.started_at < ${to}
    group by 1, 2`;
  return tx.all(DayCountRow)`
    with visible as materialized (${visible.table}),
    rolled_up as (
      select rolled.start_day as day, counted.class, counted.count
      from (select start_day, sum(silenced) as silenced, sum(open) as open, sum(fixed) as fixed,
              sum(ignored) as ignored, sum(provisionally_ignored) as provisionally_ignored
            from guardrail_day
            where deployment_id = ${deployment} and start_day >= ${at(firstDay)} and start_day < ${at(lastDay)}
              ${visible.has(sql`project_id`)}
            group by start_day) as rolled,
        lateral (values ('silenced', silenced), ('open', open), ('fixed', fixed), ('ignored', ignored),
          ('provisionally_ignored', provisionally_ignored)) as counted (class, count)
    ),
    unsettled as (
      select episode.deployment_id, episode.id, episode.started_at, episode.shown_at, episode.decided_at,
        episode.decided_state, episode.decided_until, null as end_class
      from guardrail_episode as episode
      where ${seen} and episode.ended_at is null and episode.started_at >= ${start} and episode.started_at < ${moment}
      union all ${endedLater({ deployment, has: visible.has, since: start, moment }, asOf, now)}
    ),
    standing as (
      select ${START_DAY} as day, ${episodeClassAt(moment, sql`false`)} as class, episode.end_class, count(*) as count
      from unsettled as episode ${episodeDecisionAt(moment)}
      group by 1, 2, 3
    )
    select day, class, sum(count) as count from (
      select * from rolled_up
      union all ${ended(start, at(headEnd))}
      union all ${ended(at(tailStart), moment)}
      union all select day, class, count from standing
      union all select day, end_class, -count from standing where end_class is not null
    ) as counted
    group by day, class having sum(count) <> 0`;
}
