import { type Sql, sql } from '#kernel/db/sql.ts';
import { detections, ofFinding, statusOnRef } from './conditions.ts';
import type { Context } from './filter.ts';

/**
 * Where `finding` is, a row for each ref: its state and its place there. A subquery to be joined laterally. Several
 * tools that see it on one ref are one row, by the one that still does.
 */
export const placesOf = ({ ref }: Context): Sql => sql`
  select distinct on (analysis.branch_id) min(detection.id) over (partition by analysis.branch_id) as id,
    analysis.branch_id, project_branch.ref, project_branch.kind as ref_kind, detection.state, ${statusOnRef} as status,
    detection.path, detection.line, detection.start_column, detection.end_line, detection.end_column,
    detection.is_muted, detection.changed_at, detection.detected_at, detection.first_scan_id,
    detection.changed_scan_id, analysis.last_scan_id, scan.commit
  from ${detections}
  left join scan on scan.deployment_id = detection.deployment_id and scan.id = detection.changed_scan_id
  where ${ofFinding} and ${ref ?? sql`true`}
  order by analysis.branch_id, detection.state = 'detected' desc, detection.state = 'fixed' desc,
    detection.changed_at desc, detection.id desc`;

/** The ref that speaks for a finding: the project's primary one, else one that still has it. Needs `project`. */
export const mainPlaceOf = (context: Context, wantedId: Sql = sql`0`): Sql => sql`
  select place.* from (${placesOf(context)}) as place
  order by place.id = ${wantedId} desc,
    place.ref = coalesce(project.primary_branch, project.default_branch) desc nulls last,
    place.state = 'detected' desc, place.state = 'fixed' desc, place.changed_at desc, place.id desc
  limit 1`;

const encoded = (path: Sql) =>
  sql`replace(replace(replace(replace(${path}, '%', '%25'), ' ', '%20'), '#', '%23'), '?', '%3F')`;

/** The page of a source host that shows a line; null where the host or the commit is not known. Needs `project`. */
export const lineUrl = ({ commit, path, line }: { commit: Sql; path: Sql; line: Sql }): Sql => sql`
  case when project.url ~ '^https?://' and ${commit} is not null then
    case when project.url ~ '^https?://[^/]*gitlab'
         then rtrim(project.url, '/') || '/-/blob/' || ${commit} || '/' || ${encoded(path)} || '#L' || ${line}
         when project.url ~ '^https?://bitbucket\\.org/'
         then rtrim(project.url, '/') || '/src/' || ${commit} || '/' || ${encoded(path)} || '#lines-' || ${line}
         else rtrim(project.url, '/') || '/blob/' || ${commit} || '/' || ${encoded(path)} || '#L' || ${line} end
  end`;

/** The page of a source host that shows a branch. Needs `project`. */
export const refUrl = (ref: Sql): Sql => sql`
  case when project.url ~ '^https?://' and ${ref} !~ '^refs/' then
    rtrim(project.url, '/') || case when project.url ~ '^https?://[^/]*gitlab' then '/-/tree/'
      when project.url ~ '^https?://bitbucket\\.org/' then '/branch/' else '/tree/' end || ${encoded(ref)} end`;

/** The kind of source host, from the address of the project. Needs `project`. */
export const scmType: Sql = sql`
  case when project.url ~ '^https?://github\\.com/' then 'SCM_TYPE_GITHUB'
       when project.url ~ '^https?://gitlab\\.com/' then 'SCM_TYPE_GITLAB'
       when project.url ~ '^https?://[^/]*gitlab' then 'SCM_TYPE_GITLAB_SELFMANAGED'
       when project.url ~ '^https?://bitbucket\\.org/' then 'SCM_TYPE_BITBUCKET'
       when project.url ~ '^https?://dev\\.azure\\.com/' then 'SCM_TYPE_AZURE_DEVOPS'
       else 'SCM_TYPE_UNKNOWN' end`;
