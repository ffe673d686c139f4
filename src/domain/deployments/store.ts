import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { RowCount, RowId } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { numberedSlug, slugOf } from './rules.ts';
import { Deployment } from './shape.ts';

/** The columns of a deployment in the API; `editorServiceVersion` is the version of the server. */
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

/** A deployment with its version number for optimistic locking. */
export async function find(
  tx: Tx,
  id: string,
  version: string,
): Promise<{ deployment: Deployment; version: string } | undefined> {
  const row = await tx.one(Versioned)`
    select ${columnsOf(version)}, deployment.version from deployment where deployment.id = ${id}`;
  if (!row) return undefined;
  const { version: recordVersion, ...deployment } = row;
  return { deployment, version: recordVersion };
}

/** The deployments of an account, in order of joining. */
export const listByMember = (tx: Tx, account: string, version: string): Promise<Deployment[]> =>
  tx.all(Deployment)`
    select ${columnsOf(version)} from deployment
    join membership on membership.deployment_id = deployment.id
    where membership.account_id = ${account}
    order by membership.joined_at, deployment.id`;

/** The deployments that an account may join because they own the domain of its e-mail address. */
export const listJoinable = (
  tx: Tx,
  member: { account: string; email: string },
  version: string,
): Promise<Deployment[]> =>
  tx.all(Deployment)`
    select ${columnsOf(version)} from deployment
    join deployment_domain on deployment_domain.deployment_id = deployment.id
    where deployment_domain.domain = split_part(lower(${member.email}), '@', 2)
      and deployment_domain.proved_at is not null
      and not exists (select from membership
                      where membership.deployment_id = deployment.id and membership.account_id = ${member.account})
    order by deployment.id`;

/** The number of slugs with a numeric suffix for one name; after that the slug is random. */
const MAX_NUMBERED_SLUGS = 1000;

const Slug = z.object({ slug: z.string() });

/** Inserts a deployment with the first free slug of its name. */
export async function insert(tx: Tx, creator: { name: string; account: string }): Promise<string> {
  const { name, account } = creator;
  const candidates = Array.from({ length: MAX_NUMBERED_SLUGS }, (_, index) => numberedSlug(slugOf(name), index + 1));
  for (let attempt = 0; attempt < MAX_SLUG_ATTEMPTS; attempt++) {
    const rows = await tx.all(Slug)`select slug from deployment where slug = any(${candidates}::text[])`;
    const taken = new Set(rows.map((row) => row.slug));
    const slug = candidates.find((candidate) => !taken.has(candidate)) ?? `org-${randomBytes(10).toString('hex')}`;
    const row = await tx.one(RowId)`
      insert into deployment (name, display_name, slug, organization_id, created_by)
      values (${name}, ${name}, ${slug}, gen_random_uuid()::text, ${account})
      on conflict (slug) do nothing
      returning id`;
    if (row) return row.id;
  }
  throw new Error('No free slug was found.');
}

/** Concurrent inserts can take a slug first; each time that happens one of them succeeds. */
const MAX_SLUG_ATTEMPTS = 100;

const Creator = z.object({ is_server_administrator: z.boolean() });
const MAX_OF_ADMINISTRATOR = 1000;

/**
 * How many deployments an account has created and can create in all. Locks the account, so that it creates no other
 * meanwhile.
 */
export async function lockCreator(
  tx: Tx,
  account: string,
  { perPerson }: { perPerson: number },
): Promise<{ created: number; most: number }> {
  const creator = await tx.one(Creator)`
    select is_server_administrator from account where id = ${account} for no key update`;
  const row = await tx.one(RowCount)`select count(*) as count from deployment where created_by = ${account}`;
  return { created: row?.count ?? 0, most: creator?.is_server_administrator ? MAX_OF_ADMINISTRATOR : perPerson };
}

const TeamAccess = z.object({ isEnabled: z.boolean(), isSelfServe: z.boolean() });
export type TeamAccess = z.output<typeof TeamAccess>;

export async function findTeamAccess(tx: Tx, deployment: string): Promise<TeamAccess> {
  const row = await tx.one(TeamAccess)`
    select has_team_access as "isEnabled", has_team_self_serve as "isSelfServe" from deployment
    where id = ${deployment}`;
  return row ?? { isEnabled: false, isSelfServe: false };
}

/** Locks the deployment, so that writers that check a quota wait for each other. */
export const lock = (tx: Tx, deployment: string): Promise<unknown> =>
  tx.rows`select from deployment where id = ${deployment} for no key update`;

/** The ids of all deployments, for background work under a role that sees them all. */
export async function listIds(tx: Tx): Promise<string[]> {
  const rows = await tx.all(RowId)`select id from deployment order by id`;
  return rows.map(({ id }) => id);
}
