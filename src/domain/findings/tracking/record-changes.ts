import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { hasFix, maliciousIn } from '../filter/finding-conditions.ts';
import { matchedFacts, type ScanStamp } from './apply-matches.ts';
import type { TrackingTarget } from './candidates.ts';

/** Scores change daily; only another category is a change. */
const epssCategory = (score: Sql): Sql => sql`
  case when ${score} >= 0.5 then 3 when ${score} >= 0.1 then 2 when ${score} is not null then 1 else 0 end`;

const epssScore = (detail: Sql): Sql => sql`(${detail}->'epss'->>'score')::numeric`;

/** What conditions read of a dependency's detail. */
const dependencyFacts = (detail: Sql): Sql => sql`(${epssCategory(epssScore(detail))}, ${hasFix(detail)},
  ${maliciousIn(detail)}, ${detail}->'advisories')`;

const factsJson = (row: Sql): Sql => sql`
  jsonb_build_object('severity', ${row}.severity, 'confidence', ${row}.confidence, 'reachability', ${row}.reachability,
    'validation', ${row}.validation, 'advisory', ${row}.advisory, 'transitivity', ${row}.transitivity,
    'category', ${row}.category, 'secret_type', ${row}.secret_type, 'cwes', ${row}.cwes, 'owasps', ${row}.owasps)
  || case when ${row}.product = 'sca' then jsonb_build_object('epss', ${epssScore(sql`${row}.detail`)},
    'has_fix', ${hasFix(sql`${row}.detail`)}, 'is_malicious', ${maliciousIn(sql`${row}.detail`)},
    'advisories', ${row}.detail->'advisories') else '{}' end`;

const compared = (row: Sql): Sql => sql`(${row}.severity, ${row}.confidence, ${row}.reachability, ${row}.validation,
  ${row}.advisory, ${row}.transitivity, ${row}.category, ${row}.secret_type, ${row}.cwes, ${row}.owasps)`;

/**
 * Records an event for each finding of which the scan changes something that conditions of automations read, with the
 * old and the new values. Runs before `updateFindings`, and selects the same findings.
 */
export async function recordChanges(
  tx: Tx,
  { deployment, project, analysis }: TrackingTarget,
  { batch, at, isPrimaryRef }: ScanStamp,
): Promise<void> {
  await tx.run`
    insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at, before, after)
    select ${deployment}, changed.id, ${batch}, ${analysis}, 'changed', ${at}, difference.before, difference.after
    from (
      select finding.id, ${factsJson(sql`finding`)} as old, ${factsJson(sql`fact`)} as new
      from (${matchedFacts}) as fact
      join finding on finding.deployment_id = ${unestimated(deployment)} and finding.project_id = ${project}
        and finding.id = fact.finding_id
      where (${isPrimaryRef} or finding.state <> 'detected')
        and (${compared(sql`finding`)} is distinct from ${compared(sql`fact`)}
          or finding.product = 'sca' and ${dependencyFacts(sql`finding.detail`)}
            is distinct from ${dependencyFacts(sql`fact.detail`)})
      order by finding.id) as changed
    cross join lateral (
      select jsonb_object_agg(old.key, old.value) as before, jsonb_object_agg(old.key, new.value) as after
      from jsonb_each(changed.old) as old join jsonb_each(changed.new) as new using (key)
      where old.value is distinct from new.value) as difference
    where difference.before is not null`;
}
