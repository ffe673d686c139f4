import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
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

const Versioned = Deployment.extend({ version: z.string() });

/** One deployment with the version of its record. */
export async function find(
  tx: Tx,
  id: string,
  version: string,
): Promise<{ deployment: Deployment; version: string } | undefined> {
  const row = await tx.one(Versioned)`
    select ${columnsOf(version)}, deployment.version from deployment where deployment.id = ${id}`;
  if (!row) return undefined;
  const { version: present, ...deployment } = row;
  return { deployment, version: present };
}

/** The deployments that a person belongs to, in the order of joining. */
export const listByMember = (tx: Tx, account: string, version: string): Promise<Deployment[]> =>
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

/** How many deployments can have slugs of one name and a number; further ones get a random ending. */
const MOST_NUMBERED = 1000;

/** Makes a deployment under the first free slug of its name. */
export async function insert(tx: Tx, founder: { name: string; account: string }): Promise<string> {
  const { name, account } = founder;
  const wished = Array.from({ length: MOST_NUMBERED }, (_, index) => numberedSlug(slugOf(name), index + 1));
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const rows = await tx.rows`select slug from deployment where slug = any(${wished}::text[])`;
    const taken = new Set(rows.map((row) => row['slug']));
    const slug = wished.find((one) => !taken.has(one)) ?? `org-${randomBytes(10).toString('hex')}`;
    const [row] = await tx.rows`
      insert into deployment (name, display_name, slug, organization_id, created_by)
      values (${name}, ${name}, ${slug}, gen_random_uuid()::text, ${account})
      on conflict (slug) do nothing
      returning id`;
    if (row) return String(row['id']);
  }
  throw new Error('No free slug was found.');
}

/** Others may take the slug that was free a moment ago; each time it happens one of them has been served. */
const MOST_ATTEMPTS = 100;

/** How many deployments a person has founded, with the person held so that no other founding of theirs goes on. */
export async function lockCreatorAndCount(tx: Tx, account: string): Promise<number> {
  await tx.rows`select from account where id = ${account} for no key update`;
  const [row] = await tx.rows`select count(*) as count from deployment where created_by = ${account}`;
  return Number(row?.['count'] ?? 0);
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
export async function listIds(tx: Tx): Promise<string[]> {
  const rows = await tx.rows`select id from deployment order by id`;
  return rows.map((row) => String(row['id']));
}
