import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { cloneAddressOf } from '#domain/projects/clone-address-rules.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { HostRepository } from './hosts/code-host.ts';
import { type SavedTopics, saveTopics } from './save-topics.ts';
import type { ConfigRef, StoredScmConfig } from './scm-configs.ts';
import { hostKey } from './scm-types.ts';
import { startScanning } from './start-scanning.ts';

const Known = z.object({
  external_id: z.string(),
  name: z.string(),
  is_gone: z.boolean(),
  topics: z.array(z.string()),
  tagged: z.array(z.string()),
});
type Known = z.output<typeof Known>;

/** What a page of a list changed. */
export interface SavedPage {
  found: number;
  added: number;
  renamed: number;
  returned: number;
}

/** The repositories of a page, as a table. */
const tableOf = (repositories: readonly HostRepository[], nameOf: (one: HostRepository) => string) => sql`
  unnest(${repositories.map(({ id }) => id)}::text[], ${repositories.map(({ name }) => name)}::text[],
    ${repositories.map(nameOf)}::text[], ${repositories.map((one) => nameKey(nameOf(one)))}::text[],
    ${repositories.map(({ url }) => cloneAddressOf(url) ?? '')}::text[],
    ${repositories.map(({ defaultBranch }) => defaultBranch)}::text[],
    ${repositories.map(({ visibility }) => visibility)}::text[],
    ${repositories.map(({ isArchived }) => isArchived)}::boolean[])
    as page (external_id, name, project_name, name_key, url, default_branch, visibility, is_archived)`;

/** Links repositories without a project to the one of this name, or to a new one. */
async function linkProjects(
  tx: Tx,
  { deployment, host }: { deployment: string; host: string },
  page: ReturnType<typeof tableOf>,
): Promise<void> {
  const unlinked = sql`
    select page.* from ${page} join scm_repository as repository
      on repository.deployment_id = ${deployment} and repository.host = ${host}
        and repository.external_id = page.external_id
    where repository.project_id is null`;
  await tx.run`
    with made as (
      insert into project (deployment_id, name, name_key, url, default_branch)
      select distinct on (name_key) ${deployment}::bigint, project_name, name_key, nullif(url, ''),
        nullif(default_branch, '')
      from (${unlinked}) as unlinked order by name_key, external_id
      on conflict (deployment_id, name_key) do nothing
      returning id
    )
    insert into team_project (deployment_id, team_id, project_id)
    select team.deployment_id, team.id, made.id from made cross join team
    where team.deployment_id = ${deployment} and team.is_project_default`;
  await tx.run`
    update scm_repository set project_id = chosen.project_id
    from (
      select distinct on (project.id) unlinked.external_id, project.id as project_id
      from (${unlinked}) as unlinked join project
        on project.deployment_id = ${deployment} and project.name_key = unlinked.name_key
      where not exists (select from scm_repository as other
        where other.deployment_id = ${deployment} and other.project_id = project.id)
      order by project.id, unlinked.external_id
    ) as chosen
    where scm_repository.deployment_id = ${deployment} and scm_repository.host = ${host}
      and scm_repository.external_id = chosen.external_id`;
}

/** Gives projects the new names of their repositories, unless a person has named them or the name is taken. */
const renameProjects = (
  tx: Tx,
  { deployment, host }: { deployment: string; host: string },
  renamed: readonly { id: string; from: string; to: string }[],
): Promise<number> =>
  tx.run`
    update project set name = renamed.name, name_key = renamed.name_key
    from unnest(${renamed.map(({ id }) => id)}::text[], ${renamed.map(({ from }) => nameKey(from))}::text[],
        ${renamed.map(({ to }) => to)}::text[], ${renamed.map(({ to }) => nameKey(to))}::text[])
        as renamed (external_id, old_key, name, name_key)
      join scm_repository as repository on repository.deployment_id = ${deployment}
        and repository.host = ${host} and repository.external_id = renamed.external_id
    where project.deployment_id = ${deployment} and project.id = repository.project_id
      and project.name_key = renamed.old_key
      and not exists (select from project as other
        where other.deployment_id = ${deployment} and other.name_key = renamed.name_key and other.id <> project.id)`;

/** Names that two repositories want at once are kept until the next list. */
function renamedOf(repositories: readonly HostRepository[], known: ReadonlyMap<string, Known>) {
  const renamed = repositories.flatMap(({ id, name }) => {
    const before = known.get(id);
    return before && before.name !== name ? [{ id, from: before.name, to: name }] : [];
  });
  const wanted = renamed.map(({ to }) => nameKey(to));
  return renamed.filter(({ to }) => wanted.indexOf(nameKey(to)) === wanted.lastIndexOf(nameKey(to)));
}

/**
 * Stores repositories as the host shows them: new ones get a project, or are linked to the one that CI made under their
 * name. What has not changed is not written.
 */
export async function saveRepositories(
  tx: Tx,
  ref: ConfigRef,
  config: Pick<StoredScmConfig, 'provider' | 'base_url' | 'is_auto_scan' | 'is_diff_scan'>,
  repositories: readonly HostRepository[],
): Promise<SavedPage> {
  const { deployment, id } = ref;
  const host = hostKey({ provider: config.provider, baseUrl: config.base_url });
  const at = { deployment, host };
  await lockLimit(tx, { deployment, limit: 'scm-repositories' });
  const rows = await tx.all(Known)`
    select external_id, name, gone_at is not null as is_gone, topics, tagged from scm_repository
    where deployment_id = ${deployment} and host = ${host}
      and external_id = any(${repositories.map((one) => one.id)}::text[])`;
  const known = new Map(rows.map((row) => [row.external_id, row]));
  const page = tableOf(repositories, ({ name }) => name);
  await tx.run`
    insert into scm_repository (deployment_id, host, external_id, config_id, name, url, default_branch, visibility,
      is_archived)
    select distinct on (external_id) ${deployment}::bigint, ${host}, external_id, ${id}::bigint, name, url,
      default_branch, visibility, is_archived
    from ${page} order by external_id
    on conflict (deployment_id, host, external_id) do update set config_id = excluded.config_id, name = excluded.name,
      url = excluded.url, default_branch = excluded.default_branch, visibility = excluded.visibility,
      is_archived = excluded.is_archived, gone_at = null
    where (scm_repository.config_id, scm_repository.name, scm_repository.url, scm_repository.default_branch,
        scm_repository.visibility, scm_repository.is_archived, scm_repository.gone_at)
      is distinct from (excluded.config_id, excluded.name, excluded.url, excluded.default_branch, excluded.visibility,
        excluded.is_archived, null::timestamptz)`;
  const renamed = renamedOf(repositories, known);
  if (renamed.length > 0) await renameProjects(tx, at, renamed);
  await linkProjects(tx, at, page);
  // Another host has a repository of the same name, and its project.
  const { hostname } = new URL(config.base_url);
  await linkProjects(
    tx,
    at,
    tableOf(repositories, ({ name }) => `${name} (${hostname})`),
  );
  // Which branch the numbers of a scanned project are read from is changed by itself, with all that follows.
  await tx.run`
    update project set url = nullif(page.url, ''), default_branch = case when project.latest_scan_at is null
        then nullif(page.default_branch, '') else project.default_branch end
    from ${page} join scm_repository as repository on repository.deployment_id = ${deployment}
      and repository.host = ${host} and repository.external_id = page.external_id
    where project.deployment_id = ${deployment} and project.id = repository.project_id
      and (project.url is distinct from nullif(page.url, '') or (project.latest_scan_at is null
        and project.default_branch is distinct from nullif(page.default_branch, '')))`;
  const none: SavedTopics = { topics: [], tagged: [] };
  await saveTopics(
    tx,
    at,
    repositories.map((one) => ({ id: one.id, before: known.get(one.id) ?? none, topics: one.topics })),
  );
  const added = repositories.filter((one) => !known.has(one.id));
  if (config.is_auto_scan) {
    const scanned = added.filter((one) => !one.isArchived).map((one) => one.id);
    await startScanning(tx, at, { repositories: scanned, isDiff: config.is_diff_scan });
  }
  return {
    found: repositories.length,
    added: added.length,
    renamed: renamed.length,
    returned: rows.filter((row) => row.is_gone).length,
  };
}
