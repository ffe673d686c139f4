import { type Sql, sql } from '#kernel/db/query/sql.ts';
import { detectionsWithRefs, ofFinding, statusOnRef } from './finding-conditions.ts';
import type { RefScope } from './finding-filter.ts';

const columns = (partition: Sql): Sql => sql`
  min(detection.id) over (partition by ${partition}) as id, analysis.ref_id, project_ref.ref,
  project_ref.kind as ref_kind, detection.state, ${statusOnRef} as status, detection.path, detection.line,
  detection.start_column, detection.end_line, detection.end_column, detection.is_muted, detection.changed_at,
  detection.detected_at, detection.first_scan_id, detection.changed_scan_id, analysis.last_scan_id, scan.commit`;

const lastScan = sql`
  left join scan on scan.deployment_id = detection.deployment_id and scan.id = detection.changed_scan_id`;

const openFirst = sql`detection.state = 'detected' desc, detection.state = 'fixed' desc, detection.changed_at desc,
  detection.id desc`;

/**
 * The locations of `finding`, one row per ref, with its state there; a subquery for a lateral join. If several tools
 * detect it on one ref, a detection that is still open wins.
 */
export const locationsOf = ({ ref }: RefScope): Sql => sql`
  select distinct on (analysis.ref_id) ${columns(sql`analysis.ref_id`)}
  from ${detectionsWithRefs} ${lastScan}
  where ${ofFinding} and ${ref ?? sql`true`}
  order by analysis.ref_id, ${openFirst}`;

/** The status of `finding` on each ref, without the rest of its locations. */
export const statusesByRef = ({ ref }: RefScope): Sql => sql`
  select distinct on (analysis.ref_id) ${statusOnRef} as status
  from ${detectionsWithRefs}
  where ${ofFinding} and ${ref ?? sql`true`}
  order by analysis.ref_id, ${openFirst}`;

/**
 * The locations of many findings, with their projects; the row of the representative ref has rank 1. All locations are
 * read in one pass over each index; a lateral join would be one pass per finding. `requested` yields id, position and
 * finding_id; OFFSET makes the planner join the rest to all of them.
 */
export const rankedLocations = (requested: Sql): Sql => sql`
  select location.*, row_number() over (partition by location.position
    order by location.id = location.wanted_id desc, location.ref = location.primary_ref desc nulls last,
      location.state = 'detected' desc, location.state = 'fixed' desc, location.changed_at desc,
      location.id desc) as rank
  from (
    select distinct on (finding.position, analysis.ref_id)
      finding.position, finding.wanted_id, finding.id as finding_id, finding.project_id, project.name as project_name,
      project.url as project_url, project.archived_at,
      coalesce(project.primary_branch, project.default_branch) as primary_ref,
      ${columns(sql`finding.position, analysis.ref_id`)}
    from (
      select requested.position, requested.id as wanted_id, finding.* from (${requested}) as requested
      cross join ${findingById(sql`requested.finding_id`)} offset 0) as finding
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    join (${detectionsWithRefs}) on ${ofFinding} ${lastScan}
    order by finding.position, analysis.ref_id, ${openFirst}) as location`;

/**
 * A finding by id, as a lateral join: LIMIT keeps it an index lookup per row, where the planner would otherwise read
 * the whole table for a few thousand rows.
 */
export const findingById = (id: Sql): Sql => sql`lateral (
  select * from finding where finding.deployment_id = (select current_deployment()) and finding.id = ${id} limit 1)
  as finding`;

/** The location on the project's primary ref, otherwise on a ref that still has the finding. Needs `project`. */
export const primaryLocationOf = (scope: RefScope, requestedId: Sql = sql`0`): Sql => sql`
  select location.* from (${locationsOf(scope)}) as location
  order by location.id = ${requestedId} desc,
    location.ref = coalesce(project.primary_branch, project.default_branch) desc nulls last,
    location.state = 'detected' desc, location.state = 'fixed' desc, location.changed_at desc, location.id desc
  limit 1`;

const encoded = (path: Sql) =>
  sql`replace(replace(replace(replace(${path}, '%', '%25'), ' ', '%20'), '#', '%23'), '?', '%3F')`;

/** The source host's page for a line; null if the host or the commit is unknown. Needs `finding` and `project`. */
export const lineUrl = ({ commit, path, line }: { commit: Sql; path: Sql; line: Sql }): Sql => sql`
  case when project.url ~ '^https?://' and ${commit} is not null and finding.place_kind = 'file' then
    case when project.url ~ '^https?://[^/]*gitlab'
         then rtrim(project.url, '/') || '/-/blob/' || ${commit} || '/' || ${encoded(path)} || '#L' || ${line}
         when project.url ~ '^https?://bitbucket\\.org/'
         then rtrim(project.url, '/') || '/src/' || ${commit} || '/' || ${encoded(path)} || '#lines-' || ${line}
         else rtrim(project.url, '/') || '/blob/' || ${commit} || '/' || ${encoded(path)} || '#L' || ${line} end
  end`;

/** The source host's page for a branch. Needs `project`. */
export const refUrl = (ref: Sql): Sql => sql`
  case when project.url ~ '^https?://' and ${ref} !~ '^refs/' then
    rtrim(project.url, '/') || case when project.url ~ '^https?://[^/]*gitlab' then '/-/tree/'
      when project.url ~ '^https?://bitbucket\\.org/' then '/branch/' else '/tree/' end || ${encoded(ref)} end`;

/** The type of source host, derived from the project's URL. Needs `project`. */
export const scmType: Sql = sql`
  case when project.url ~ '^https?://github\\.com/' then 'SCM_TYPE_GITHUB'
       when project.url ~ '^https?://gitlab\\.com/' then 'SCM_TYPE_GITLAB'
       when project.url ~ '^https?://[^/]*gitlab' then 'SCM_TYPE_GITLAB_SELFMANAGED'
       when project.url ~ '^https?://bitbucket\\.org/' then 'SCM_TYPE_BITBUCKET'
       when project.url ~ '^https?://dev\\.azure\\.com/' then 'SCM_TYPE_AZURE_DEVOPS'
       else 'SCM_TYPE_UNKNOWN' end`;
