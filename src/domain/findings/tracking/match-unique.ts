import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from './candidates.ts';
import { FINGERPRINT_KINDS } from './finding-identity.ts';

/** An advisory or secret has one fingerprint of these kinds; results that share it are the same result. */
export const isInstanceKind = (table: Sql): Sql =>
  sql`${table}.kind in (${FINGERPRINT_KINDS.secret}, ${FINGERPRINT_KINDS.instance})`;

/** Findings that were this result before; of several, the one with its version, then one that is detected and open. */
async function matchInstances(tx: Tx): Promise<void> {
  await tx.run`
    with pair as (
      select staged.digest, incoming.n, incoming.path, incoming.line, candidate.finding_id, candidate.is_detected,
        candidate.is_open,
        candidate.package_version is not distinct from incoming.package_version as has_same_version,
        (incoming.path, incoming.line) = (candidate.path, candidate.line) as has_same_place
      from stage_finding as incoming join stage_fingerprint as staged using (n)
      join candidate_fingerprint using (digest) join candidate using (finding_id)
      where incoming.is_unique and ${isInstanceKind(sql`staged`)}
    ),
    chosen as (
      select distinct on (digest) digest, finding_id from pair
      order by digest, has_same_version desc, is_detected desc, is_open desc, finding_id
    )
    insert into matched (n, finding_id, pass)
    select distinct on (finding_id) n, finding_id, 'identity' from pair join chosen using (digest, finding_id)
    order by finding_id, has_same_version desc, has_same_place desc, path, line, n
    on conflict do nothing`;
}

/** Deletes repetitions of a result: all but the matched one, otherwise all but the first one. */
async function deleteRepetitions(tx: Tx): Promise<void> {
  await tx.run`
    with ranked as (
      select staged.n, matched.n is not null as is_matched, bool_or(matched.n is not null) over same as has_match,
        rank() over (same order by incoming.path, incoming.line, incoming.n) as rank
      from stage_fingerprint as staged join stage_finding as incoming using (n) left join matched using (n)
      where incoming.is_unique and ${isInstanceKind(sql`staged`)}
      window same as (partition by staged.digest)
    )
    delete from stage_finding
    where n in (select n from ranked where not is_matched and (has_match or rank > 1))`;
}

/**
 * Deletes results whose only name is one of several names of another result: the same advisory in the same version,
 * which the report or a previous one describes better.
 */
async function deleteAliases(tx: Tx, { deployment, project }: TrackingTarget): Promise<void> {
  await tx.run`
    with name as (
      select staged.n, staged.digest, incoming.package_version, count(*) over (partition by staged.n) as count
      from stage_fingerprint as staged join stage_finding as incoming using (n)
      where incoming.is_unique and staged.kind = ${FINGERPRINT_KINDS.advisory}
    ),
    compared as (
      select n, digest, package_version, count, max(count) over (partition by digest, package_version) as most from name
    ),
    unchanged as (
      select fingerprint.digest, finding.package_version from unchanged_finding
      join fingerprint on fingerprint.deployment_id = ${unestimated(deployment)} and fingerprint.project_id = ${project}
        and fingerprint.finding_id = unchanged_finding.finding_id and fingerprint.kind = ${FINGERPRINT_KINDS.advisory}
      join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = unchanged_finding.finding_id
      where fingerprint.digest in (select digest from name)
    )
    delete from stage_finding
    where n in (
        select n from compared where count = 1 and (most > 1 or exists (select from unchanged
          where unchanged.digest = compared.digest
            and unchanged.package_version is not distinct from compared.package_version)))
      and not exists (select from matched where matched.n = stage_finding.n)`;
}

/** Each round matches at least one result of each advisory; results that remain after them are new. */
const MAX_ROUNDS = 3;

/** Advisories in another version, or under another of their names: paired in order of their versions. */
async function matchAdvisories(tx: Tx): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const matched = await tx.run`
      with results as (
        select incoming.n, incoming.advisory, staged.digest,
          row_number() over (partition by staged.digest order by incoming.package_version, incoming.n) as rank
        from stage_finding as incoming join stage_fingerprint as staged using (n)
        where incoming.is_unique and staged.kind = ${FINGERPRINT_KINDS.advisory}
          and not exists (select from matched where matched.n = incoming.n)
      ),
      candidates as (
        select candidate.finding_id, candidate.advisory, candidate_fingerprint.digest,
          row_number() over (partition by candidate_fingerprint.digest
            order by candidate.is_detected desc, candidate.is_open desc, candidate.package_version,
              candidate.finding_id) as rank
        from candidate join candidate_fingerprint using (finding_id)
        where candidate_fingerprint.kind = ${FINGERPRINT_KINDS.advisory}
          and not exists (select from matched where matched.finding_id = candidate.finding_id)
      )
      insert into matched (n, finding_id, pass)
      select n, finding_id, 'identity' from results join candidates using (digest, rank)
      order by results.advisory is distinct from candidates.advisory, n, finding_id
      on conflict do nothing`;
    if (matched === 0) return;
  }
}

/**
 * Matches advisories and secrets, which are identified without their surroundings. A secret is one finding per
 * project; an advisory is one finding per package, file and version, which stays the same when the version changes.
 */
export async function matchUnique(tx: Tx, target: TrackingTarget): Promise<void> {
  await matchInstances(tx);
  await deleteRepetitions(tx);
  await deleteAliases(tx, target);
  await matchAdvisories(tx);
}
