import { checkPassword } from '#domain/accounts/password-guesses.ts';
import { requireSecondFactor } from '#domain/accounts/require-second-factor.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import * as people from '#domain/accounts/store.ts';
import * as invitations from '#domain/invitations/store.ts';
import { enrollMember } from '#domain/teams/enrollment.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { hashPassword } from '#kernel/crypto/password.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { type acceptInvitation, INVITATION_REFUSED, SIGN_IN_REFUSED } from './contract.ts';
import { PASSWORD_TOO_WEAK } from './session-shape.ts';
import { hasValidPasswordLength, signIn } from './sign-in.ts';

type AcceptCall = Call<typeof acceptInvitation>;

/** A concurrent invitation has created the account of this address. */
class AccountCreatedConcurrently extends Error {}

/** Accepts an invitation with a new account, or with the existing one and its password. */
export async function accept(call: AcceptCall) {
  try {
    return await attempt(call);
  } catch (error) {
    if (error instanceof AccountCreatedConcurrently) return attempt(call);
    throw error;
  }
}

async function attempt(call: AcceptCall) {
  const { body, services, now } = call;
  const token = new Secret(body.token);
  const found = await call.read(async (tx) => {
    const invitation = await invitations.findPendingByToken(tx, services.keys, { token, now });
    return invitation && { invitation, account: await people.findByEmail(tx, invitation.email) };
  });
  if (!found) {
    await recordFailure(call, '', INVITATION_REFUSED.code);
    throw INVITATION_REFUSED();
  }
  const { invitation, account } = found;
  if (account) await requirePassword(call, account, invitation);
  else if (!hasValidPasswordLength(body.password)) throw PASSWORD_TOO_WEAK();
  const passwordHash = account ? '' : await hashPassword(new Secret(body.password));
  return call.transact(async (tx) => {
    if (!(await invitations.claim(tx, invitation, now))) throw INVITATION_REFUSED();
    const joined = await join(tx, invitation, { known: account, name: body.name.trim(), passwordHash });
    const reply = await signIn(call, tx, joined);
    call.answer.actor = { ...(call.answer.actor ?? anonymousCaller), deployment: invitation.deployment_id };
    call.answer.recordEffect({ object: `invitation/${invitation.id}`, after: { account: joined.id } });
    return reply;
  });
}

/** Records a failed attempt in the audit trail. */
async function recordFailure(call: AcceptCall, deployment: string, code: string): Promise<void> {
  call.answer.actor = { ...anonymousCaller, deployment };
  call.answer.recordEffect({ object: 'invitation' });
  await call.transact(async () => {}, code);
}

/** An invitation link may have been forwarded, so it never signs in to an existing account without its password. */
async function requirePassword(call: AcceptCall, account: people.Account, invitation: invitations.Invitation) {
  const { services, body, now } = call;
  const { address, cookie } = call.request;
  const { email } = account;
  const findAccount = async () => account;
  const guess = { email, password: new Secret(body.password), address, cookie, now, findAccount };
  if ((await checkPassword(services, guess)).isCorrect) return requireSecondFactor(call, account.id, body.code);
  await recordFailure(call, invitation.deployment_id, SIGN_IN_REFUSED.code);
  throw SIGN_IN_REFUSED();
}

interface NewMember {
  /** The account that existed when the password was checked. */
  known: people.Account | undefined;
  name: string;
  passwordHash: string;
}

async function join(tx: Tx, { email, deployment_id, role }: invitations.Invitation, newMember: NewMember) {
  // Two invitations for one address, or an invitation and an administrator who adds it, must not both create it.
  await people.lockEmail(tx, email);
  const present = await people.findByEmail(tx, email);
  if (present?.id !== newMember.known?.id)
    throw new AccountCreatedConcurrently('The account was created concurrently.');
  const id = present?.id ?? (await people.insert(tx, { email, ...newMember }));
  if (present) await sessions.endAll(tx, id);
  if (!(await people.isMember(tx, { deployment: deployment_id, account: id })))
    await enrollMember(tx, { deployment: deployment_id, account: id, role });
  const account = present ?? (await people.find(tx, id));
  if (!account) throw new Error('The account of a new member was not inserted.');
  return account;
}
