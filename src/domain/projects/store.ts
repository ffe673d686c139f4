import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import type { Tx } from '#kernel/db/tx.ts';

export const StoredProject = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().optional(),
  tags: z.array(z.string()),
  branches: z.array(z.string()),
});
export type StoredProject = z.output<typeof StoredProject>;

/** What is scanned under one name; the same name again is the same project. */
export async function insert(
  tx: Tx,
  project: { deployment: string; name: string; url?: string },
): Promise<{ id: string; isNew: boolean }> {
  const [row] = await tx.rows`
    insert into project (deployment_id, name, name_key, url)
    values (${project.deployment}, ${project.name}, ${nameKey(project.name)}, ${project.url ?? null})
    on conflict (deployment_id, name_key) do update set url = coalesce(excluded.url, project.url)
    returning id, xmax = 0 as is_new`;
  return { id: String(row?.['id']), isNew: row?.['is_new'] === true };
}

export const find = (tx: Tx, deployment: string, id: string): Promise<StoredProject | undefined> =>
  tx.one(StoredProject)`
    select id, name, url,
      array(select tag from project_tag where deployment_id = ${deployment} and project_id = project.id order by tag)
        as tags,
      array(select ref from project_ref where deployment_id = ${deployment} and project_id = project.id order by ref)
        as branches
    from project where deployment_id = ${deployment} and id = ${id}`;

/** Gives a project tags; those that the deployment does not know yet, it knows from now on. */
export async function addTags(tx: Tx, project: { deployment: string; id: string }, tags: string[]): Promise<void> {
  await tx.run`
    with known as (
      insert into deployment_tag (deployment_id, tag)
      select distinct ${project.deployment}::bigint, tag from unnest(${tags}::text[]) as tag
      on conflict do nothing
    )
    insert into project_tag (deployment_id, project_id, tag)
    select ${project.deployment}, ${project.id}, tag from unnest(${tags}::text[]) as tag
    on conflict do nothing`;
}

export async function recordBranch(tx: Tx, project: { deployment: string; id: string }, ref: string): Promise<void> {
  await tx.run`
    insert into project_ref (deployment_id, project_id, ref) values (${project.deployment}, ${project.id}, ${ref})
    on conflict (deployment_id, project_id, ref) do update set seen_at = now()`;
}

export async function findIdByName(tx: Tx, deployment: string, name: string): Promise<string | undefined> {
  const [row] = await tx.rows`
    select id from project where deployment_id = ${deployment} and name_key = ${nameKey(name)}`;
  return row && String(row['id']);
}

/** The ref that a project's numbers are read from. */
export async function findPrimaryRef(tx: Tx, deployment: string, project: string): Promise<string | undefined> {
  const [row] = await tx.rows`
    select coalesce(primary_branch, default_branch) as ref from project
    where deployment_id = ${deployment} and id = ${project}`;
  const ref = row?.['ref'];
  return typeof ref === 'string' ? ref : undefined;
}
