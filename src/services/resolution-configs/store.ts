import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ScaResolutionConfig, type ScaResolutionConfigs } from './contract.ts';

export async function isVisibleProject(tx: Tx, caller: Caller, project: string): Promise<boolean> {
  const row = await tx.one(z.object({ id: z.string() }))`
    select id from project
    where project.deployment_id = ${caller.deployment} and project.id = ${project} and ${projectVisibilitySql(caller)}`;
  return row !== undefined;
}

const ConfigRow = z.object({ subproject: z.string(), config: ScaResolutionConfig });

export interface ResolutionProject {
  deployment: string;
  project: string;
}

export async function listConfigs(tx: Tx, { deployment, project }: ResolutionProject): Promise<ScaResolutionConfigs> {
  const rows = await tx.all(ConfigRow)`
    select subproject, config from sca_resolution_config
    where deployment_id = ${deployment} and project_id = ${project} order by subproject`;
  return { perSubproject: Object.fromEntries(rows.map(({ subproject, config }) => [subproject, config])) };
}

/** Replaces the configurations of a project, one writer after the other. */
export async function replaceConfigs(
  tx: Tx,
  { deployment, project }: ResolutionProject,
  { perSubproject }: ScaResolutionConfigs,
): Promise<void> {
  await tx.run`select from project where deployment_id = ${deployment} and id = ${project} for update`;
  await tx.run`delete from sca_resolution_config where deployment_id = ${deployment} and project_id = ${project}`;
  const entries = Object.entries(perSubproject);
  await tx.run`
    insert into sca_resolution_config (deployment_id, project_id, subproject, config)
    select ${deployment}, ${project}, subproject, config
    from unnest(${entries.map(([name]) => name)}::text[],
                ${entries.map(([, config]) => JSON.stringify(config))}::jsonb[]) as entry (subproject, config)`;
}
