import { type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { numberedSlug, slugOf } from './rules.ts';
import { Deployment } from './shape.ts';

/** All columns of the API's record; the editor's rules have the version of the server itself. */
const columnsOf = (version: string): Sql => sql`
  deployment.id, deployment.name, deployment.display_name as "displayName", deployment.slug,
  deployment.source_type as "sourceType", deployment.organization_id as "organizationId",
  json_build_object(
    'featureFlags', coalesce((
      select json_agg(json_strip_nulls(json_build_object(
                        'name', name, 'expiresAt', to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
                      order by name)
      from feature_flag
      where feature_flag.deployment_id = deployment.id and (expires_at is null or expires_at > now())), '[]'),
    'hasAutofix', has_autofix, 'hasDeepscan', has_deepscan, 'hasTriageViaComment', has_triage_via_comment,
    'hasDependencyQuery', has_dependency_query, 'defaultUserRole', default_user_role,
    'editorServiceVersion', ${version}::text, 'noscanDisabled', noscan_disabled) as features`;

/** The deployments that a person belongs to, in the order of joining. */
export const listOfMember = (tx: Tx, account: string, version: string): Promise<Deployment[]> =>
  tx.all(Deployment)`
    select ${columnsOf(version)} from deployment
    join membership on membership.deployment_id = deployment.id
    where membership.account_id = ${account}
    order by membership.joined_at, deployment.id`;

/** The deployments that a person may join, because they own the domain of the person's e-mail address. */
export const listJoinable = (tx: Tx, who: { account: string; email: string }, version: string): Promise<Deployment[]> =>
  tx.all(Deployment)`
    select ${columnsOf(version)} from deployment
    join deployment_domain on deployment_domain.deployment_id = deployment.id
    where deployment_domain.domain = split_part(lower(${who.email}), '@', 2) and deployment_domain.proved_at is not null
      and not exists (select from membership
                      where membership.deployment_id = deployment.id and membership.account_id = ${who.account})
    order by deployment.id`;

const MOST_TRIES = 1000;

/** Makes a deployment under the first free slug of its name. */
export async function insert(tx: Tx, name: string): Promise<string> {
  const slug = slugOf(name);
  for (let n = 1; n <= MOST_TRIES; n++) {
    const [row] = await tx.rows`
      insert into deployment (name, display_name, slug, organization_id)
      values (${name}, ${name}, ${numberedSlug(slug, n)}, gen_random_uuid()::text)
      on conflict (slug) do nothing
      returning id`;
    if (row) return String(row['id']);
  }
  throw new Error('No free slug was found.');
}

export interface TeamAccess {
  isEnabled: boolean;
  isSelfServe: boolean;
}

export async function findTeamAccess(tx: Tx, deployment: string): Promise<TeamAccess> {
  const [row] = await tx.rows`select has_team_access, has_team_self_serve from deployment where id = ${deployment}`;
  return { isEnabled: row?.['has_team_access'] === true, isSelfServe: row?.['has_team_self_serve'] === true };
}

/** Makes writers of this deployment that count before they act wait for each other. */
export const lock = (tx: Tx, deployment: string): Promise<unknown> =>
  tx.rows`select from deployment where id = ${deployment} for no key update`;

/** The ids of all deployments: for work over all of them, under the role that may see them. */
export async function collectDeployments(tx: Tx): Promise<string[]> {
  const rows = await tx.rows`select id from deployment order by id`;
  return rows.map((row) => String(row['id']));
}
