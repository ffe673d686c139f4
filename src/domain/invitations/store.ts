import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { emailKey } from '#domain/accounts/store.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { PendingInvitation } from './shape.ts';

const Invitation = z.object({ id: z.string(), deployment_id: z.string(), email: z.string(), role: z.string() });
/** An invitation that can still be accepted. */
export type Invitation = z.output<typeof Invitation>;

const InvitationMailRow = z.object({
  email: z.string(),
  nonce: z.string(),
  expires_at: timestamp(),
  deployment_name: z.string(),
  inviter_name: z.string(),
});

/** Derived from the nonce whenever it is needed, so that neither a table nor a queue stores it. */
export const invitationToken = (keys: KeyRing, nonce: string): Secret =>
  new Secret(`pin_${createHmac('sha256', keys.derive('invitation-token')).update(nonce).digest('base64url')}`);

const hashOf = (keys: KeyRing, token: Secret): string =>
  createHmac('sha256', keys.derive('invitation-hash')).update(reveal(token)).digest('base64url');

/** The keys of those addresses that already belong to members. */
export async function findMemberEmailKeys(tx: Tx, deployment: string, emails: readonly string[]): Promise<Set<string>> {
  const rows = await tx.all(z.object({ email_key: z.string() }))`
    select account.email_key from account join membership on membership.account_id = account.id
    where membership.deployment_id = ${deployment} and account.email_key = any(${emails.map(emailKey)}::text[])`;
  return new Set(rows.map((row) => row.email_key));
}

/** The number of invitations that can still be accepted. */
export async function countPending(tx: Tx, deployment: string, now: Date): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*) as count from invitation
    where deployment_id = ${deployment} and accepted_at is null and expires_at > ${now.toISOString()}`;
  return row?.count ?? 0;
}

export interface NewInvitations {
  deployment: string;
  invitedBy: string;
  emails: readonly string[];
  /** Without it the default role of the deployment. */
  role?: string | undefined;
  name?: string;
  expiresAt: Date;
}

export interface CreatedInvitation {
  id: string;
  email: string;
  token: Secret;
}

const InsertedInvitation = z.object({ id: z.string(), email: z.string(), nonce: z.string() });

/** Invites each address; earlier invitations of an address become invalid. */
export async function insertAll(tx: Tx, keys: KeyRing, invitations: NewInvitations): Promise<CreatedInvitation[]> {
  await tx.run`
    delete from invitation
    where deployment_id = ${invitations.deployment} and accepted_at is null
      and email_key = any(${invitations.emails.map(emailKey)}::text[])`;
  const nonces = invitations.emails.map(() => randomBytes(16).toString('base64url'));
  const tokens = new Map(nonces.map((nonce) => [nonce, invitationToken(keys, nonce)]));
  const rows = await tx.all(InsertedInvitation)`
    insert into invitation (deployment_id, email, email_key, name, role, nonce, hash, invited_by, expires_at)
    select deployment.id, invited.email, invited.email_key, ${invitations.name ?? ''},
           coalesce(${invitations.role ?? null}, deployment.default_user_role), invited.nonce, invited.hash,
           ${invitations.invitedBy}, ${invitations.expiresAt.toISOString()}
    from deployment, unnest(${invitations.emails}::text[], ${invitations.emails.map(emailKey)}::text[],
                            ${nonces}::text[],
                            ${[...tokens.values()].map((token) => hashOf(keys, token))}::text[])
      as invited (email, email_key, nonce, hash)
    where deployment.id = ${invitations.deployment}
    returning id, email, nonce`;
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    token: tokens.get(row.nonce) ?? new Secret(''),
  }));
}

/** The data for the invitation mail; undefined if the invitation was accepted or replaced, or has expired. */
export const findForMail = (tx: Tx, deployment: string, id: string) =>
  tx.one(InvitationMailRow)`
    select invitation.email, nonce, expires_at, deployment.display_name as deployment_name,
           account.name as inviter_name
    from invitation
    join deployment on deployment.id = invitation.deployment_id
    join account on account.id = invitation.invited_by
    where invitation.deployment_id = ${deployment} and invitation.id = ${id}
      and accepted_at is null and expires_at > now()`;

/** An invitation is valid only while the inviter is an administrator. */
const isInviterAdministrator = sql`exists (
  select from membership
  where membership.deployment_id = invitation.deployment_id and membership.account_id = invitation.invited_by
    and membership.role = 'ORG_ROLE_ADMIN')`;

const pendingColumns = sql`
  id, email, name, role, created_at as "createdAt", expires_at as "expiresAt",
  (select account.name from account where account.id = invitation.invited_by) as "invitedBy"`;

/** Invitations that were not accepted, newest first; also expired ones, until they are deleted. */
export const list = (tx: Tx, deployment: string, { after, limit }: PageWindow): Promise<PendingInvitation[]> =>
  tx.all(PendingInvitation)`
    select ${pendingColumns} from invitation
    where deployment_id = ${deployment} and accepted_at is null and ${isInviterAdministrator}
      ${after ? sql`and id < ${after[0]}` : emptySql}
    order by id desc
    limit ${limit + 1}`;

export const find = (tx: Tx, deployment: string, id: string): Promise<PendingInvitation | undefined> =>
  tx.one(PendingInvitation)`
    select ${pendingColumns} from invitation
    where deployment_id = ${deployment} and id = ${id} and accepted_at is null and ${isInviterAdministrator}`;

export const remove = (tx: Tx, deployment: string, id: string): Promise<number> =>
  tx.run`delete from invitation where deployment_id = ${deployment} and id = ${id} and accepted_at is null`;

/** Deletes the pending invitations that an account sent. */
export const removeOf = (tx: Tx, { deployment, account }: { deployment: string; account: string }): Promise<number> =>
  tx.run`
    delete from invitation where deployment_id = ${deployment} and invited_by = ${account} and accepted_at is null`;

const columns = sql`id, deployment_id, email, role`;

/** The pending invitation of a token. Runs under the auth role, because the deployment is not known yet. */
export const findPendingByToken = (tx: Tx, keys: KeyRing, { token, now }: { token: Secret; now: Date }) =>
  tx.one(Invitation)`
    select ${columns} from invitation
    where hash = ${hashOf(keys, token)} and accepted_at is null and expires_at > ${now.toISOString()}
      and ${isInviterAdministrator}`;

/** Marks an invitation as accepted; of concurrent attempts only one gets true. */
export async function claim(tx: Tx, { id, deployment_id }: Invitation, now: Date): Promise<boolean> {
  const claimed = await tx.run`
    update invitation set accepted_at = now()
    where deployment_id = ${deployment_id} and id = ${id} and accepted_at is null
      and expires_at > ${now.toISOString()} and ${isInviterAdministrator}`;
  return claimed === 1;
}

/** Deletes invitations a month after they expired: they hold addresses of people who may never have joined. */
export const deleteExpired = (tx: Tx): Promise<number> =>
  tx.run`delete from invitation where expires_at < now() - interval '30 days'`;
