import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { emailKey } from '#domain/accounts/store.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const Invitation = z.object({ id: z.string(), deployment_id: z.string(), email: z.string(), role: z.string() });
/** An invitation that can still be accepted. */
export type Invitation = z.output<typeof Invitation>;

const Outgoing = z.object({
  email: z.string(),
  nonce: z.string(),
  expires_at: timestamp(),
  deployment_name: z.string(),
  inviter_name: z.string(),
});

/** Made anew whenever it is needed, so that it is stored nowhere: neither in a table nor in a queue. */
export const invitationToken = (keys: KeyRing, nonce: string): Secret =>
  new Secret(`pin_${createHmac('sha256', keys.derive('invitation-token')).update(nonce).digest('base64url')}`);

const hashOf = (keys: KeyRing, token: Secret): string =>
  createHmac('sha256', keys.derive('invitation-hash')).update(reveal(token)).digest('base64url');

/** Which of these addresses belong to members already, as their keys. */
export async function findMemberEmailKeys(tx: Tx, deployment: string, emails: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows`
    select account.email_key from account join membership on membership.account_id = account.id
    where membership.deployment_id = ${deployment} and account.email_key = any(${emails.map(emailKey)}::text[])`;
  return new Set(rows.map((row) => String(row['email_key'])));
}

/** How many invitations of a deployment wait for an answer. */
export async function countPending(tx: Tx, deployment: string, now: Date): Promise<number> {
  const [row] = await tx.rows`
    select count(*) as count from invitation
    where deployment_id = ${deployment} and accepted_at is null and expires_at > ${now.toISOString()}`;
  return Number(row?.['count'] ?? 0);
}

export interface NewInvitations {
  deployment: string;
  invitedBy: string;
  emails: readonly string[];
  expiresAt: Date;
}

export interface CreatedInvitation {
  id: string;
  email: string;
  token: Secret;
}

/** Invites each address with the role that new people get; what was sent to an address before is no longer good. */
export async function insertAll(tx: Tx, keys: KeyRing, wish: NewInvitations): Promise<CreatedInvitation[]> {
  await tx.run`
    delete from invitation
    where deployment_id = ${wish.deployment} and accepted_at is null
      and email_key = any(${wish.emails.map(emailKey)}::text[])`;
  const nonces = wish.emails.map(() => randomBytes(16).toString('base64url'));
  const tokens = new Map(nonces.map((nonce) => [nonce, invitationToken(keys, nonce)]));
  const rows = await tx.rows`
    insert into invitation (deployment_id, email, email_key, role, nonce, hash, invited_by, expires_at)
    select deployment.id, wanted.email, wanted.email_key, deployment.default_user_role, wanted.nonce, wanted.hash,
           ${wish.invitedBy}, ${wish.expiresAt.toISOString()}
    from deployment, unnest(${wish.emails}::text[], ${wish.emails.map(emailKey)}::text[], ${nonces}::text[],
                            ${[...tokens.values()].map((token) => hashOf(keys, token))}::text[])
      as wanted (email, email_key, nonce, hash)
    where deployment.id = ${wish.deployment}
    returning id, email, nonce`;
  return rows.map((row) => ({
    id: String(row['id']),
    email: String(row['email']),
    token: tokens.get(String(row['nonce'])) ?? new Secret(''),
  }));
}

/** What a letter needs to know of an invitation; undefined when it has been accepted, replaced, or has run out. */
export const findForMail = (tx: Tx, deployment: string, id: string) =>
  tx.one(Outgoing)`
    select invitation.email, nonce, expires_at, deployment.display_name as deployment_name,
           account.name as inviter_name
    from invitation
    join deployment on deployment.id = invitation.deployment_id
    join account on account.id = invitation.invited_by
    where invitation.deployment_id = ${deployment} and invitation.id = ${id}
      and accepted_at is null and expires_at > now()`;

/** An invitation ends with the right of the one who made it. */
const isStillMeant = sql`exists (
  select from membership
  where membership.deployment_id = invitation.deployment_id and membership.account_id = invitation.invited_by
    and membership.role = 'ORG_ROLE_ADMIN')`;

const columns = sql`id, deployment_id, email, role`;

/** The open invitation that a token belongs to; asked by the door, because the deployment is not known yet. */
export const findPendingByToken = (tx: Tx, keys: KeyRing, { token, now }: { token: Secret; now: Date }) =>
  tx.one(Invitation)`
    select ${columns} from invitation
    where hash = ${hashOf(keys, token)} and accepted_at is null and expires_at > ${now.toISOString()}
      and ${isStillMeant}`;

/** Uses an invitation up: of any number of attempts at once, one gets true. */
export async function claim(tx: Tx, { id, deployment_id }: Invitation, now: Date): Promise<boolean> {
  const claimed = await tx.run`
    update invitation set accepted_at = now()
    where deployment_id = ${deployment_id} and id = ${id} and accepted_at is null
      and expires_at > ${now.toISOString()} and ${isStillMeant}`;
  return claimed === 1;
}

/** Invitations hold addresses of people who may never have come, so they go a month after their end. */
export const deleteExpired = (tx: Tx): Promise<number> =>
  tx.run`delete from invitation where expires_at < now() - interval '30 days'`;
