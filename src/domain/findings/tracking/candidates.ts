import type { Tx } from '#kernel/db/tx.ts';
import { FINGERPRINT_KINDS } from './finding-identity.ts';

/** Where a scan belongs: the scope of matching and of changes. */
export interface TrackingTarget {
  deployment: string;
  project: string;
  ref: string;
  analysis: string;
}

/**
 * An id that a tool gives to results of different rules identifies nothing: its kind is not used for this report (F4).
 */
export async function dropDegenerateFingerprints(tx: Tx): Promise<string[]> {
  const rows = await tx.rows`
    with useless as (
      select distinct print.name from stage_print as print join stage_finding as incoming using (n)
      where print.kind = ${FINGERPRINT_KINDS.tool}
      group by print.name, print.label having min(incoming.rule) <> max(incoming.rule)
    ),
    dropped as (delete from stage_print where kind = ${FINGERPRINT_KINDS.tool} and name in (select name from useless))
    select name from useless order by name`;
  await tx.run`
    insert into stage_print (n, kind, name, digest)
    select n, ${FINGERPRINT_KINDS.place}, '', place from stage_finding as incoming
    where not exists (select from stage_print where stage_print.n = incoming.n)`;
  return rows.map(({ name }) => String(name));
}

/**
 * Collects the findings that results can match: those that the analysis detects, and those of the project that share a
 * fingerprint, except unchanged ones.
 */
export async function collectCandidates(tx: Tx, { deployment, project, analysis }: TrackingTarget): Promise<void> {
  await tx.run`
    create temporary table known_print on commit drop as
    select fingerprint.finding_id, fingerprint.digest, fingerprint.kind from fingerprint
    where fingerprint.deployment_id = ${deployment} and fingerprint.project_id = ${project}
      and fingerprint.digest in (select digest from stage_print)
      and not exists (select from same where same.finding_id = fingerprint.finding_id)`;
  await tx.run`analyze known_print`;
  await tx.run`
    create temporary table candidate on commit drop as
    select finding_id from known_print
    union
    select detection.finding_id from detection
    where detection.deployment_id = ${deployment} and detection.analysis_id = ${analysis}
      and detection.state = 'detected'
      and not exists (select from same where same.finding_id = detection.finding_id)`;
  // Looked up one by one: where the planner expects a single row, scanning all findings of a project takes hours.
  await tx.run`
    create temporary table known on commit drop as
    select finding.id as finding_id, coalesce(detection.path, finding.path) as path,
      coalesce(detection.line, finding.line) as line,
      coalesce(detection.start_column, finding.start_column) as start_column,
      finding.context_digest, finding.tool, finding.product, finding.rule,
      detection.state is not distinct from 'detected' as is_here,
      finding.state = 'detected' as is_open
    from candidate
    cross join lateral (
      select * from finding where finding.deployment_id = ${deployment} and finding.id = candidate.finding_id
      limit 1) as finding
    left join lateral (
      select * from detection where detection.deployment_id = ${deployment} and detection.analysis_id = ${analysis}
        and detection.finding_id = candidate.finding_id
      limit 1) as detection on true`;
  await tx.run`analyze known`;
  await tx.run`
    create temporary table pair (
      n integer not null unique, finding_id bigint not null unique, pass text not null) on commit drop`;
}

const ALIKE_FILES = 0.85;
const ALIKE_WHEN_TOLD = 0.5;

/**
 * Detects renamed files: a file that disappeared and a new file with (nearly) the same results (T0). Renames reported
 * by the client need less similarity. Ambiguous cases are left alone.
 */
export async function applyRenames(tx: Tx, renamedFrom: readonly string[]): Promise<number> {
  return tx.run`
    with gone as (
      select known.path, known_print.digest, count(*) as count from known join known_print using (finding_id)
      where known.is_here and known_print.kind in (${FINGERPRINT_KINDS.tool}, ${FINGERPRINT_KINDS.code})
        and known.path not in (select path from stage_finding as incoming) and known.path not in (select path from same)
      group by known.path, known_print.digest
    ),
    come as (
      select incoming.path, print.digest, count(*) as count
      from stage_finding as incoming join stage_print as print using (n)
      where print.kind in (${FINGERPRINT_KINDS.tool}, ${FINGERPRINT_KINDS.code}) and not incoming.is_unique
        and incoming.path not in (select path from known where is_here)
        and incoming.path not in (select path from same)
      group by incoming.path, print.digest
    ),
    size_gone as (select path, count(*) as size from known where is_here group by path),
    size_come as (select path, count(*) as size from stage_finding as incoming where not is_unique group by path),
    shared as (
      select gone.path as old_path, come.path as new_path, max(size_gone.size) as old_size,
        max(size_come.size) as new_size, least(sum(least(gone.count, come.count)),
          max(size_gone.size), max(size_come.size)) as size
      from gone join come using (digest)
      join size_gone on size_gone.path = gone.path join size_come on size_come.path = come.path
      group by gone.path, come.path
    ),
    scored as (
      select *, 2.0 * size / (old_size + new_size) as alike,
        regexp_replace(old_path, '^.*/', '') = regexp_replace(new_path, '^.*/', '') as has_same_name
      from shared
    ),
    ranked as (
      select *, rank() over (partition by old_path order by alike desc, has_same_name desc) as old_rank,
        rank() over (partition by new_path order by alike desc, has_same_name desc) as new_rank
      from scored
      where alike >= case when old_path = any(${renamedFrom}::text[]) then ${ALIKE_WHEN_TOLD}::numeric
                          else ${ALIKE_FILES}::numeric end
    ),
    renamed as (
      select old_path, min(new_path) as new_path from ranked where old_rank = 1 and new_rank = 1
      group by old_path having count(*) = 1
    ),
    unambiguous as (
      select min(old_path) as old_path, new_path from renamed group by new_path having count(*) = 1
    )
    update known set path = unambiguous.new_path from unambiguous where known.path = unambiguous.old_path`;
}
