import { z } from 'zod';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { CiTrust } from './contract.ts';

const VersionedTrust = CiTrust.extend({ version: z.string(), deployment: z.string() });
export type VersionedTrust = z.output<typeof VersionedTrust>;

const columns = sql`
  ci_trust.id, ci_trust.version, ci_trust.deployment_id as deployment, ci_trust.name, provider, issuer, audience,
  algorithm, conditions, project, lifetime_seconds as "lifetimeSeconds", is_enabled as enabled,
  ci_trust.created_at as "createdAt", last_used_at as "lastUsedAt", last_project as "lastProject",
  last_refused_at as "lastRefusedAt", last_refusal as "lastRefusal"`;

export interface TrustRef {
  deployment: string;
  id: string;
}

export type TrustDraft = Pick<
  CiTrust,
  'name' | 'provider' | 'issuer' | 'audience' | 'algorithm' | 'conditions' | 'project' | 'lifetimeSeconds' | 'enabled'
>;

/** In order of creation. */
export const list = (tx: Tx, deployment: string): Promise<CiTrust[]> =>
  tx.all(CiTrust)`select ${columns} from ci_trust where deployment_id = ${deployment} order by id`;

export const find = (tx: Tx, { deployment, id }: TrustRef): Promise<VersionedTrust | undefined> =>
  tx.one(VersionedTrust)`select ${columns} from ci_trust where deployment_id = ${deployment} and id = ${id}`;

export const findForUpdate = (tx: Tx, { deployment, id }: TrustRef): Promise<VersionedTrust | undefined> =>
  tx.one(VersionedTrust)`
    select ${columns} from ci_trust where deployment_id = ${deployment} and id = ${id} for no key update`;

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from ci_trust where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

export async function insert(tx: Tx, deployment: string, draft: TrustDraft): Promise<string> {
  const row = await tx.one(RowId)`
    insert into ci_trust (deployment_id, name, provider, issuer, audience, algorithm, conditions, project,
                          lifetime_seconds, is_enabled)
    values (${deployment}, ${draft.name}, ${draft.provider}, ${draft.issuer}, ${draft.audience}, ${draft.algorithm},
            ${JSON.stringify(draft.conditions)}::jsonb, ${draft.project}, ${draft.lifetimeSeconds}, ${draft.enabled})
    returning id`;
  return returnedId(row);
}

/** Replaces a trust, and revokes the tokens that were issued under it before. */
export async function update(tx: Tx, { deployment, id }: TrustRef, draft: TrustDraft): Promise<void> {
  await tx.run`
    update ci_trust set version = version + 1, name = ${draft.name}, provider = ${draft.provider},
      issuer = ${draft.issuer}, audience = ${draft.audience}, algorithm = ${draft.algorithm},
      conditions = ${JSON.stringify(draft.conditions)}::jsonb, project = ${draft.project},
      lifetime_seconds = ${draft.lifetimeSeconds}, is_enabled = ${draft.enabled}, last_refused_at = null,
      last_refusal = ''
    where deployment_id = ${deployment} and id = ${id}`;
  await tx.run`
    update api_token set revoked_at = now()
    where deployment_id = ${deployment} and ci_trust_id = ${id} and revoked_at is null`;
}

export const remove = (tx: Tx, { deployment, id }: TrustRef): Promise<number> =>
  tx.run`delete from ci_trust where deployment_id = ${deployment} and id = ${id}`;

/** The trusts of one issuer in the deployment with this id or slug, in order of creation. */
export const listByIssuer = (tx: Tx, deploymentRef: string, issuer: string): Promise<VersionedTrust[]> =>
  tx.all(VersionedTrust)`
    select ${columns} from ci_trust join deployment on deployment.id = ci_trust.deployment_id
    where (deployment.slug = ${deploymentRef} or deployment.id::text = ${deploymentRef})
      and issuer = ${issuer} and is_enabled
    order by ci_trust.id`;

/** Records the use of a trust; false if it has changed since it was read. */
export async function recordUse(
  tx: Tx,
  { deployment, id, version }: VersionedTrust,
  { project, now }: { project: string; now: Date },
): Promise<boolean> {
  const changed = await tx.run`
    update ci_trust set last_used_at = ${now}, last_project = ${project}
    where deployment_id = ${deployment} and id = ${id} and version = ${version} and is_enabled`;
  return changed === 1;
}

export const recordRefusal = (
  tx: Tx,
  { deployment, id }: VersionedTrust,
  { refusal, now }: { refusal: string; now: Date },
): Promise<number> =>
  tx.run`
    update ci_trust set last_refused_at = ${now}, last_refusal = ${refusal}
    where deployment_id = ${deployment} and id = ${id}`;

/** Marks a token of a job as used; false if it was used before. */
export async function claimUse(
  tx: Tx,
  { deployment, hash, expiresAt }: { deployment: string; hash: string; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tx.run`
    insert into ci_token_use (deployment_id, hash, expires_at) values (${deployment}, ${hash}, ${expiresAt})
    on conflict do nothing`;
  return inserted === 1;
}

/** Deletes what a server needs no more of tokens that have long expired. */
export async function deleteExpired(tx: Tx): Promise<void> {
  await tx.run`delete from ci_token_use where expires_at < now() - interval '1 hour'`;
  await tx.run`delete from api_token where ci_trust_id is not null and expires_at < now() - interval '30 days'`;
}
