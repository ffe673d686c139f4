import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { cloneAddressOf } from './clone-address-rules.ts';

export const StoredProject = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().optional(),
  tags: z.array(z.string()),
  branches: z.array(z.string()),
});
export type StoredProject = z.output<typeof StoredProject>;

const InsertedProject = z.object({ id: z.string(), isNew: z.boolean() });

/** Inserts a project; a project of the same name is returned as it is. */
export async function insert(
  tx: Tx,
  { deployment, name, url }: { deployment: string; name: string; url?: string },
): Promise<{ id: string; isNew: boolean }> {
  const row = await tx.one(InsertedProject)`
    insert into project (deployment_id, name, name_key, url)
    values (${deployment}, ${name}, ${nameKey(name)}, ${cloneAddressOf(url ?? '') ?? null})
    on conflict (deployment_id, name_key) do update set url = coalesce(excluded.url, project.url)
    returning id, xmax = 0 as "isNew"`;
  if (!row) throw new Error('The project was not inserted.');
  return row;
}

export const find = (tx: Tx, deployment: string, id: string): Promise<StoredProject | undefined> =>
  tx.one(StoredProject)`
    select id, name, url,
      array(select tag from project_tag where deployment_id = ${deployment} and project_id = project.id order by tag)
        as tags,
      array(select ref from project_ref where deployment_id = ${deployment} and project_id = project.id order by ref)
        as branches
    from project where deployment_id = ${deployment} and id = ${id}`;

/** Adds tags to a project, and new tags to the deployment. */
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

export async function findIdByName(tx: Tx, deployment: string, name: string): Promise<string | undefined> {
  const row = await tx.one(RowId)`
    select id from project where deployment_id = ${deployment} and name_key = ${nameKey(name)}`;
  return row?.id;
}

const PrimaryRef = z.object({ ref: z.string().optional() });

/** The ref that a project's numbers are read from: its primary branch, else its default branch. */
export async function findPrimaryRef(tx: Tx, deployment: string, project: string): Promise<string | undefined> {
  const row = await tx.one(PrimaryRef)`
    select coalesce(primary_branch, default_branch) as ref from project
    where deployment_id = ${deployment} and id = ${project}`;
  return row?.ref;
}
