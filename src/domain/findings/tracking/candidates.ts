import { z } from 'zod';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { FINGERPRINT_KINDS } from './finding-identity.ts';

/** Where a scan belongs: the scope of matching and of changes. */
export interface TrackingTarget {
  deployment: string;
  project: string;
  ref: string;
  analysis: string;
}

const NameRow = z.object({ name: z.string() });

/**
 * An id that a tool gives to results of different rules identifies nothing: its kind is not used for this report (F4).
 */
export async function dropDegenerateFingerprints(tx: Tx): Promise<string[]> {
  const rows = await tx.all(NameRow)`
    with degenerate as (
      select distinct staged.name from stage_fingerprint as staged join stage_finding as incoming using (n)
      where staged.kind = ${FINGERPRINT_KINDS.tool}
      group by staged.name, staged.label having min(incoming.rule) <> max(incoming.rule)
    ),
    dropped as (
      delete from stage_fingerprint
      where kind = ${FINGERPRINT_KINDS.tool} and name in (select name from degenerate)
    )
    select name from degenerate order by name`;
  await tx.run`
    insert into stage_fingerprint (n, kind, name, digest)
    select n, ${FINGERPRINT_KINDS.rule}, '', rule_digest from stage_finding as incoming
    where not exists (select from stage_fingerprint where stage_fingerprint.n = incoming.n)`;
  return rows.map(({ name }) => name);
}

/**
 * Collects the findings that results can match: those that the analysis detects, and those of the project that share a
 * fingerprint, except unchanged ones.
 */
export async function collectCandidates(tx: Tx, { deployment, project, analysis }: TrackingTarget): Promise<void> {
  await tx.run`
    create temporary table candidate_fingerprint on commit drop as
    select fingerprint.finding_id, fingerprint.digest, fingerprint.kind from fingerprint
    where fingerprint.deployment_id = ${unestimated(deployment)} and fingerprint.project_id = ${project}
      and fingerprint.digest in (select digest from stage_fingerprint)
      and not exists (select from unchanged_finding where unchanged_finding.finding_id = fingerprint.finding_id)`;
  await tx.run`analyze candidate_fingerprint`;
  await tx.run`
    create temporary table candidate_id on commit drop as
    select finding_id from candidate_fingerprint
    union
    select detection.finding_id from detection
    where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
      and detection.state = 'detected'
      and not exists (select from unchanged_finding where unchanged_finding.finding_id = detection.finding_id)`;
  // Looked up one by one: where the planner expects a single row, scanning all findings of a project takes hours.
  await tx.run`
    create temporary table candidate on commit drop as
    select finding.id as finding_id, coalesce(detection.path, finding.path) as path,
      coalesce(detection.line, finding.line) as line,
      coalesce(detection.start_column, finding.start_column) as start_column,
      finding.context_digest, finding.tool, finding.product, finding.rule, finding.advisory, finding.package_version,
      detection.state is not distinct from 'detected' as is_detected,
      finding.state = 'detected' as is_open
    from candidate_id
    cross join lateral (
      select * from finding where finding.deployment_id = ${unestimated(deployment)}
        and finding.id = candidate_id.finding_id
      limit 1) as finding
    left join lateral (
      select * from detection where detection.deployment_id = ${unestimated(deployment)}
        and detection.analysis_id = ${analysis}
        and detection.finding_id = candidate_id.finding_id
      limit 1) as detection on true`;
  await tx.run`analyze candidate`;
  await tx.run`
    create temporary table matched (
      n integer not null unique, finding_id bigint not null unique, pass text not null) on commit drop`;
}

/** A fingerprint in more files than this identifies none of them, unless few of the files have the same name. */
const MAX_FILES_OF_FINGERPRINT = 20;
/** The share of results that a file and its successor have in common. */
const MIN_FILE_SIMILARITY = 0.85;
/** The same for files of the same name, and for renames that the client reports. */
const MIN_NAMESAKE_SIMILARITY = 0.5;

const { tool, code, rule } = FINGERPRINT_KINDS;
const isFileFingerprint = sql`kind in (${tool}, ${code}, ${rule})`;

/** What a file is compared by: its fingerprints, how often it has each, and how well a fingerprint identifies it. */
const fileColumns = sql`path, digest, count(*) as count, regexp_replace(path, '^.*/', '') as name,
  count(*) over (partition by digest) <= ${MAX_FILES_OF_FINGERPRINT} as is_in_few_files,
  count(*) over (partition by digest) = 1 as is_in_one_file,
  count(*) over (partition by digest, regexp_replace(path, '^.*/', '')) <= ${MAX_FILES_OF_FINGERPRINT}
    as has_few_namesakes`;

/** Collects the files that disappeared and the new ones, in tables of their own: the planner misjudges their number. */
async function collectMovedFiles(tx: Tx): Promise<boolean> {
  const gone = await tx.run`
    create temporary table old_file on commit drop as
    select ${fileColumns} from candidate join candidate_fingerprint using (finding_id)
    where candidate.is_detected and ${isFileFingerprint}
      and not exists (select from stage_finding as incoming where incoming.path = candidate.path)
      and not exists (select from unchanged_finding where unchanged_finding.path = candidate.path)
    group by path, digest`;
  if (gone === 0) return false;
  await tx.run`analyze old_file`;
  await tx.run`
    create temporary table new_file on commit drop as
    select ${fileColumns} from stage_finding as incoming join stage_fingerprint using (n)
    where ${isFileFingerprint} and not incoming.is_unique
      and not exists (select from candidate where candidate.is_detected and candidate.path = incoming.path)
      and not exists (select from unchanged_finding where unchanged_finding.path = incoming.path)
    group by path, digest`;
  await tx.run`analyze new_file`;
  return true;
}

/** The number of folders and names that two paths have in common. */
const commonSegments = (one: Sql, other: Sql): Sql => sql`
  (select count(*) from unnest(string_to_array(${one}, '/')) as segment
   where segment = any(string_to_array(${other}, '/')))`;

const byLikeness = sql`has_same_name desc, exclusive_count desc, similarity desc, common_segments desc`;

/**
 * Detects renamed files: a file that disappeared and a new file that contains its results (T0). A file that grew or
 * shrank while it was renamed is recognized by its name, or by several results of its own. Of several candidates the
 * most similar one with the most similar path is taken; ambiguous cases are left alone.
 */
export async function applyRenames(tx: Tx, renamedFrom: readonly string[]): Promise<number> {
  if (!(await collectMovedFiles(tx))) return 0;
  return tx.run`
    with common as (
      select old_file.path as old_path, new_file.path as new_path, least(old_file.count, new_file.count) as count,
        old_file.is_in_one_file and new_file.is_in_one_file as is_exclusive
      from old_file join new_file using (digest) where old_file.is_in_few_files and new_file.is_in_few_files
      union all
      select old_file.path, new_file.path, least(old_file.count, new_file.count), false
      from old_file join new_file using (digest, name)
      where old_file.has_few_namesakes and new_file.has_few_namesakes
        and not (old_file.is_in_few_files and new_file.is_in_few_files)
    ),
    old_file_size as (select path, count(*) as size from candidate where is_detected group by path),
    new_file_size as (select path, count(*) as size from stage_finding as incoming where not is_unique group by path),
    shared as (
      select common.old_path, common.new_path, max(old_file_size.size) as old_size, max(new_file_size.size) as new_size,
        count(*) as fingerprint_count, count(*) filter (where is_exclusive) as exclusive_count,
        least(sum(common.count), max(old_file_size.size), max(new_file_size.size)) as size
      from common
      join old_file_size on old_file_size.path = common.old_path
      join new_file_size on new_file_size.path = common.new_path
      group by common.old_path, common.new_path
    ),
    scored as (
      select *, 2.0 * size / (old_size + new_size) as similarity, 1.0 * size / old_size as containment,
        regexp_replace(old_path, '^.*/', '') = regexp_replace(new_path, '^.*/', '') as has_same_name,
        ${commonSegments(sql`old_path`, sql`new_path`)} as common_segments
      from shared
    ),
    likely as (
      select * from scored
      where similarity >= ${MIN_FILE_SIMILARITY}::numeric
        or (containment >= ${MIN_FILE_SIMILARITY}::numeric and (fingerprint_count > 1 or exclusive_count = 1))
        or (containment >= ${MIN_NAMESAKE_SIMILARITY}::numeric
            and (has_same_name or exclusive_count = 1 or old_path = any(${renamedFrom}::text[])))
        or (has_same_name and exclusive_count = 1)
        or exclusive_count > 1
    ),
    ranked as (
      select *,
        rank() over (partition by old_path order by ${byLikeness}) as old_rank,
        rank() over (partition by new_path order by ${byLikeness}) as new_rank
      from likely
    ),
    renamed as (
      select old_path, min(new_path) as new_path from ranked where old_rank = 1 and new_rank = 1
      group by old_path having count(*) = 1
    ),
    unambiguous as (
      select min(old_path) as old_path, new_path from renamed group by new_path having count(*) = 1
    )
    update candidate set path = unambiguous.new_path from unambiguous where candidate.path = unambiguous.old_path`;
}
