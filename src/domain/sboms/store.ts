import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { SbomPackage, SbomVulnerability } from './cyclonedx.ts';

/** The ref of a project that the SBOM describes. */
export interface SbomSubject {
  deployment: string;
  project: string;
  ref: string;
}

const FoundRef = z.object({ ref: z.string().optional() });

/** Finds the scanned ref of a project, by default its primary ref; undefined if it was never scanned. */
export async function findRef(
  tx: Tx,
  caller: Caller,
  { project, ref }: { project: string; ref: string },
): Promise<{ isProject: boolean; ref: string | undefined }> {
  const row = await tx.one(FoundRef)`
    select project_ref.ref from project
    left join project_ref on project_ref.deployment_id = project.deployment_id
      and project_ref.project_id = project.id
      and project_ref.ref = coalesce(nullif(${ref}::text, ''), project.primary_branch, project.default_branch)
    where project.deployment_id = ${caller.deployment} and project.id = ${project} and ${projectVisibilitySql(caller)}`;
  return { isProject: row !== undefined, ref: row?.ref };
}

const ProjectName = z.object({ name: z.string() });

export async function findProjectName(tx: Tx, { deployment, project }: SbomSubject): Promise<string | undefined> {
  const row = await tx.one(
    ProjectName,
  )`select name from project where deployment_id = ${deployment} and id = ${project}`;
  return row?.name;
}

const Component = z.object({
  ecosystem: z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string().optional(),
  isDirect: z.boolean(),
  licenses: z.array(z.string()),
  paths: z.array(z.string()),
});

export const COMPONENT_PAGE_SIZE = 5000;
type PageStart = Pick<SbomPackage, 'ecosystem' | 'name' | 'version'>;

/** One page of the packages of a ref; a package that several files or tools report is listed once. */
export const listComponents = (tx: Tx, subject: SbomSubject, last: PageStart | undefined): Promise<SbomPackage[]> =>
  tx.all(Component)`
    select dependency.ecosystem, dependency.package as name, dependency.version, min(dependency.purl) as purl,
      bool_or(dependency.transitivity = 'direct') as "isDirect",
      (array_agg(to_jsonb(dependency.licenses) order by cardinality(dependency.licenses) desc, dependency.id))[1]
        as licenses,
      array_agg(distinct dependency.path) as paths
    from dependency
    join project_ref on project_ref.deployment_id = dependency.deployment_id
      and project_ref.id = dependency.ref_id
    where dependency.deployment_id = ${subject.deployment} and project_ref.project_id = ${subject.project}
      and project_ref.ref = ${subject.ref}
      and (${last?.name ?? null}::text is null
        or (dependency.package, dependency.ecosystem collate "C", dependency.version collate "C")
          > (${last?.name ?? ''}, ${last?.ecosystem ?? ''}, ${last?.version ?? ''}))
    group by dependency.ecosystem, dependency.package, dependency.version
    order by dependency.package, dependency.ecosystem collate "C", dependency.version collate "C"
    limit ${COMPONENT_PAGE_SIZE}::int` as Promise<SbomPackage[]>;

const Vulnerability = z.object({
  advisory: z.string(),
  ecosystem: z.string(),
  name: z.string(),
  version: z.string(),
  severity: z.int(),
  cwes: z.array(z.string()),
  title: z.string(),
});

const MAX_VULNERABILITIES = 20_000;

/** The vulnerabilities that are currently detected in the packages of a ref, regardless of triage. */
export const listVulnerabilities = (tx: Tx, subject: SbomSubject): Promise<SbomVulnerability[]> =>
  tx.all(Vulnerability)`
    select finding.advisory, coalesce(finding.ecosystem, '') as ecosystem, coalesce(finding.package, '') as name,
      coalesce(finding.package_version, '') as version, max(finding.severity) as severity,
      (array_agg(to_jsonb(finding.cwes) order by finding.id))[1] as cwes, min(finding.title) as title
    from finding
    join detection on detection.deployment_id = finding.deployment_id and detection.finding_id = finding.id
      and detection.state = 'detected'
    join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
    join project_ref on project_ref.deployment_id = analysis.deployment_id
      and project_ref.id = analysis.ref_id and project_ref.ref = ${subject.ref}
    where finding.deployment_id = ${subject.deployment} and finding.project_id = ${subject.project}
      and finding.product = 'sca' and finding.advisory is not null
    group by finding.advisory, finding.ecosystem, finding.package, finding.package_version
    order by finding.advisory, finding.ecosystem, finding.package, finding.package_version
    limit ${MAX_VULNERABILITIES}::int`;
