import { isSetUpOpen, makeFirst } from '#domain/founding/setup.ts';
import * as sessions from '#domain/people/sessions.ts';
import * as people from '#domain/people/store.ts';
import { dummyHash, hashPassword, verifyPassword } from '#kernel/crypto/password.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { group } from '#kernel/http/group.ts';
import { accept } from './accept.ts';
import * as contract from './contract.ts';
import { clearedCookie, ticketIn } from './cookie.ts';
import { isLongEnough, reply, signIn } from './sign-in.ts';

/** Sessions and set-up: how people come in. */
export const sessionGroup = group('SessionsService', contract, {
  // Passwords are hashed outside of transactions: it takes long, and connections are few.
  createSession: async (call) => {
    const { body, powers, request, answer } = call;
    const keys = [`account ${people.emailKey(body.email)}`, `address ${request.address}`];
    for (const key of keys) powers.limits.check('login', key);
    const account = await call.consult((tx) => people.findByEmail(tx, body.email));
    const isOpen = account?.password_hash !== undefined && !account.disabled_at && !account.deleted_at;
    const hash = isOpen ? (account.password_hash ?? dummyHash) : dummyHash;
    const isRight = await verifyPassword(new Secret(body.password), hash);
    if (account && isOpen && isRight) return call.transact((tx) => signIn(call, tx, account));
    for (const key of keys) powers.limits.count('login', key);
    answer.changed({ object: account ? `account/${account.id}` : 'account' });
    await call.transact(async () => {}, contract.SIGN_IN_REFUSED.code);
    throw contract.SIGN_IN_REFUSED();
  },

  refreshSession: async (call) => {
    const { tx, powers, request, answer } = call;
    if (request.origin !== '' && request.origin !== powers.baseUrl) throw contract.FOREIGN_ORIGIN();
    const ticket = ticketIn(request.cookie);
    if (ticket === undefined) throw contract.SESSION_ENDED();
    const session = await sessions.refresh(tx, powers.keys.derive('refresh'), ticket);
    const account = session && (await people.find(tx, session.account_id));
    if (session && account) return reply(call, session, account);
    answer.changed({ object: 'session' });
    throw contract.SESSION_ENDED({ keepsWork: true, headers: { 'set-cookie': clearedCookie } });
  },

  deleteSession: async ({ tx, caller, answer }) => {
    await sessions.end(tx, caller.credential.replace('session:', ''));
    answer.headers['set-cookie'] = clearedCookie;
    return {};
  },

  setUp: async (call) => {
    const { body, powers, now } = call;
    if (!isLongEnough(body.password)) throw contract.PASSWORD_TOO_WEAK();
    const token = new Secret(body.setupToken);
    if (!(await call.consult((tx) => isSetUpOpen(tx, powers.keys, { token, now })))) throw contract.SETUP_REFUSED();
    const passwordHash = await hashPassword(new Secret(body.password));
    return call.transact(async (tx) => {
      const isStillOpen = await isSetUpOpen(tx, powers.keys, { token, now, isLocked: true });
      if (!isStillOpen) throw contract.SETUP_REFUSED();
      const { email, name, deploymentName } = body;
      const wish = { email, passwordHash, name: name.trim(), deploymentName: deploymentName.trim() };
      return signIn(call, tx, await makeFirst(tx, powers.keys, wish));
    });
  },

  acceptInvitation: accept,
});
