import { MANAGED_TAG } from '#domain/projects/rules.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** Switches managed scans on for the projects of new repositories. */
export async function startScanning(
  tx: Tx,
  { deployment, host }: { deployment: string; host: string },
  { repositories, isDiff }: { repositories: readonly string[]; isDiff: boolean },
): Promise<void> {
  if (repositories.length === 0) return;
  await tx.run`
    with tag as (
      insert into deployment_tag (deployment_id, tag) values (${deployment}, ${MANAGED_TAG})
      on conflict (deployment_id, tag) do update set tag = excluded.tag
      returning tag
    ),
    switched as (
      update project set has_managed_full_scan = true, has_managed_diff_scan = ${isDiff}
      from scm_repository as repository
      where repository.deployment_id = ${deployment} and repository.host = ${host}
        and repository.external_id = any(${repositories}::text[])
        and project.deployment_id = ${deployment} and project.id = repository.project_id
      returning project.id
    )
    insert into project_tag (deployment_id, project_id, tag)
    select ${deployment}, switched.id, tag.tag from switched cross join tag
    on conflict do nothing`;
}
