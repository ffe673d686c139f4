import { z } from 'zod';
import { lockProject } from '#domain/findings/ingest/ingest.ts';
import { recomputeProjectFindings } from '#domain/findings/tracking/recompute-project.ts';
import type { ScmTransaction } from './open-host.ts';
import type { ConfigRef } from './scm-configs.ts';

const Changed = z.object({ project_id: z.string(), default_branch: z.string(), is_followed: z.boolean() });

/** Scanned projects whose repository has another default branch: what counts as found is computed anew. */
export async function followDefaultBranches(
  transaction: ScmTransaction,
  { deployment, id }: ConfigRef,
  at: Date,
): Promise<void> {
  const changed = await transaction(
    (tx) => tx.all(Changed)`
      select repository.project_id, repository.default_branch, project.primary_branch is null as is_followed
      from scm_repository as repository join project
        on project.deployment_id = repository.deployment_id and project.id = repository.project_id
      where repository.deployment_id = ${deployment} and repository.config_id = ${id} and repository.gone_at is null
        and project.latest_scan_at is not null and repository.default_branch <> ''
        and project.default_branch is distinct from repository.default_branch
      order by repository.project_id`,
  );
  for (const { project_id: project, default_branch: branch, is_followed: isFollowed } of changed)
    await transaction(async (tx) => {
      await lockProject(tx, { deployment, project });
      await tx.run`
        update project set default_branch = ${branch} where deployment_id = ${deployment} and id = ${project}`;
      if (isFollowed) await recomputeProjectFindings(tx, { deployment, project, at });
    });
}
