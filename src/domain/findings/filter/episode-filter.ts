import { join, type Sql, sql } from '#kernel/db/query/sql.ts';
import { episodeClassAt, episodeDecisionAt } from './episode-class.ts';
import { isWithin } from './finding-conditions.ts';
import type { PullRequestEpisodeFilter } from './finding-filter.ts';

/** The episode column of each kind of fact. `isName` marks facts whose prefix is not stored. */
const FACTS: [prefix: string, column: Sql, isName?: boolean][] = [
  ['FINDING_TYPE_', sql`episode.finding_type`],
  ['FINDING_SEVERITY_', sql`episode.severity`],
  ['FINDING_CONFIDENCE_', sql`episode.confidence`],
  ['FINDING_REACHABILITY_', sql`episode.reachability`],
  ['FINDING_VALIDITY_', sql`episode.validity`],
  ['VERDICT_', sql`episode.ai_verdict`],
  ['DEPLOYMENT_STATUS_', sql`episode.deployment_status`],
  ['PUBLIC_EXPOSURE_', sql`episode.public_exposure`],
  ['rule-', sql`episode.rule_id`, true],
  ['category-', sql`episode.category`, true],
];

function matchesFact(facts: readonly string[]): Sql {
  const conditions = FACTS.flatMap(([prefix, column, isName]) => {
    const matching = facts.filter((fact) => fact.startsWith(prefix));
    const values = isName ? matching.map((fact) => fact.slice(prefix.length)) : matching;
    return matching.length === 0 ? [] : [sql`${column} = any(${values}::text[])`];
  });
  return conditions.length === 0 ? sql`false` : sql`(${join(conditions, sql` or `)})`;
}

/**
 * A condition on `finding`: it has an episode that meets all of these criteria. It starts from the episodes, which are
 * indexed by time, and selects findings by id: as a join the planner would start from all findings.
 */
export function hasEpisode(criteria: readonly PullRequestEpisodeFilter[], now: Date): Sql {
  const asOf = criteria.flatMap(({ asOf: moment }) => moment ?? []);
  const moment = sql`${[...asOf, now].reduce((first, second) => (first < second ? first : second))}::timestamptz`;
  const conditions = criteria.flatMap(({ at, facts }) => [
    ...(at ? [isWithin(sql`episode.started_at`)(at)] : []),
    ...(facts ? [matchesFact(facts)] : []),
  ]);
  const hasClass = criteria.flatMap(({ classes }) =>
    classes ? [sql`classified.class = any(${classes}::text[])`] : [],
  );
  return sql`finding.id = any(array(
    select substr(classified.issue_key, length('finding:') + 1)::bigint from (
      select episode.issue_key,
        case when episode.ended_at <= ${moment} then episode.end_class
             else ${episodeClassAt(moment, sql`false`)} end as class
      from guardrail_episode as episode ${episodeDecisionAt(moment)}
      where ${join(
        [
          sql`episode.deployment_id = (select current_deployment()) and episode.is_eligible`,
          sql`episode.started_at < ${moment} and episode.issue_key ~ '^finding:[0-9]+$'`,
          ...conditions,
        ],
        sql` and `,
      )}) as classified
    where ${join([sql`classified.class is not null`, ...hasClass], sql` and `)}))`;
}
