import * as invitations from '#domain/invitations/store.ts';
import * as sessions from '#domain/people/sessions.ts';
import * as people from '#domain/people/store.ts';
import { welcome } from '#domain/teams/joining.ts';
import { nobody } from '#kernel/auth/caller.ts';
import { dummyHash, hashPassword, verifyPassword } from '#kernel/crypto/password.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/group.ts';
import { type acceptInvitation, INVITATION_REFUSED, PASSWORD_TOO_WEAK, SIGN_IN_REFUSED } from './contract.ts';
import { isLongEnough, signIn } from './sign-in.ts';

type AcceptCall = Call<typeof acceptInvitation>;

/** Another invitation made the account of this address a moment ago. */
class AccountAppeared extends Error {}

/** Lets an invited person in: with a new account, or with the one they have and its password. */
export async function accept(call: AcceptCall) {
  try {
    return await attempt(call);
  } catch (error) {
    if (error instanceof AccountAppeared) return attempt(call);
    throw error;
  }
}

async function attempt(call: AcceptCall) {
  const { body, powers, now } = call;
  const token = new Secret(body.token);
  const found = await call.consult(async (tx) => {
    const invitation = await invitations.findOpen(tx, powers.keys, { token, now });
    return invitation && { invitation, account: await people.findByEmail(tx, invitation.email) };
  });
  if (!found) {
    await note(call, '', INVITATION_REFUSED.code);
    throw INVITATION_REFUSED();
  }
  const { invitation, account } = found;
  if (account) await requirePassword(call, account, invitation);
  else if (!isLongEnough(body.password)) throw PASSWORD_TOO_WEAK();
  const passwordHash = account ? '' : await hashPassword(new Secret(body.password));
  return call.transact(async (tx) => {
    if (!(await invitations.claim(tx, invitation, now))) throw INVITATION_REFUSED();
    const joined = await join(tx, invitation, { known: account, name: body.name.trim(), passwordHash });
    const reply = await signIn(call, tx, joined);
    call.answer.actor = { ...(call.answer.actor ?? nobody), deployment: invitation.deployment_id };
    call.answer.changed({ object: `invitation/${invitation.id}`, after: { account: joined.id } });
    return reply;
  });
}

/** Writes down that somebody tried in vain. */
async function note(call: AcceptCall, deployment: string, code: string): Promise<void> {
  call.answer.actor = { ...nobody, deployment };
  call.answer.changed({ object: 'invitation' });
  await call.transact(async () => {}, code);
}

/** A link may have passed through other hands: it never opens an account that is there already. */
async function requirePassword(call: AcceptCall, account: people.Account, invitation: invitations.Invitation) {
  const { powers, body, request } = call;
  const keys = [`account ${people.emailKey(account.email)}`, `address ${request.address}`];
  for (const key of keys) powers.limits.check('login', key);
  const isOpen = account.password_hash !== undefined && !account.disabled_at && !account.deleted_at;
  const hash = isOpen ? (account.password_hash ?? dummyHash) : dummyHash;
  const isRight = await verifyPassword(new Secret(body.password), hash);
  if (isOpen && isRight) return;
  for (const key of keys) powers.limits.count('login', key);
  await note(call, invitation.deployment_id, SIGN_IN_REFUSED.code);
  throw SIGN_IN_REFUSED();
}

interface Newcomer {
  /** The account that was there when the password was checked. */
  known: people.Account | undefined;
  name: string;
  passwordHash: string;
}

async function join(tx: Tx, { email, deployment_id, role }: invitations.Invitation, newcomer: Newcomer) {
  // Two invitations of one address, accepted at once, must not both make the account.
  await tx.run`select pg_advisory_xact_lock(hashtext('parapet account'), hashtext(${people.emailKey(email)}))`;
  const present = await people.findByEmail(tx, email);
  if (present?.id !== newcomer.known?.id) throw new AccountAppeared('The account is there by now.');
  const id = present?.id ?? (await people.insert(tx, { email, ...newcomer }));
  if (present) await sessions.endAllOf(tx, id);
  if (!(await people.isMember(tx, { deployment: deployment_id, account: id })))
    await welcome(tx, { deployment: deployment_id, account: id, role });
  const account = present ?? (await people.find(tx, id));
  if (!account) throw new Error('The account of a newcomer was not inserted.');
  return account;
}
