import { nameKey } from '#domain/deployments/rules.ts';
import type { Tx } from '#kernel/db/tx.ts';

export async function findProject(tx: Tx, deployment: string, name: string): Promise<string | undefined> {
  const [row] = await tx.rows`
    select id from project where deployment_id = ${deployment} and name_key = ${nameKey(name)}`;
  return row && String(row['id']);
}

/** The ref that a project's numbers are read from. */
export async function referenceRef(tx: Tx, deployment: string, project: string): Promise<string | undefined> {
  const [row] = await tx.rows`
    select coalesce(primary_branch, default_branch) as ref from project
    where deployment_id = ${deployment} and id = ${project}`;
  const ref = row?.['ref'];
  return typeof ref === 'string' ? ref : undefined;
}
