import { checkPassword } from '#domain/accounts/password-guesses.ts';
import { requireSecondFactor } from '#domain/accounts/require-second-factor.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import * as people from '#domain/accounts/store.ts';
import { createFirstAdministrator, isSetupTokenValid } from '#domain/provisioning/initial-setup.ts';
import { findSignOutUrl } from '#domain/sso/sso-sessions.ts';
import { hashPassword } from '#kernel/crypto/password.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import { accept } from './accept-invitation.ts';
import * as contract from './contract.ts';
import { clearedRefreshCookie, refreshTicketIn } from './refresh-cookie.ts';
import { PASSWORD_TOO_WEAK } from './session-shape.ts';
import { hasValidPasswordLength, sessionReply, signIn } from './sign-in.ts';

/** SessionsService: signing in, signing out, set-up and invitations. */
export const sessionGroup = group('SessionsService', contract, {
  // Passwords are hashed outside of transactions, because hashing is slow and connections are few.
  createSession: async (call) => {
    const { body, services, request, answer, now } = call;
    const { address, cookie } = request;
    const findAccount = () => call.read((tx) => people.findByEmail(tx, body.email));
    const guess = { email: body.email, password: new Secret(body.password), address, cookie, now, findAccount };
    const { account, isCorrect } = await checkPassword(services, guess);
    if (account && isCorrect) {
      await requireSecondFactor(call, account.id, body.code);
      return call.transact((tx) => signIn(call, tx, account));
    }
    answer.recordEffect({ object: account ? `account/${account.id}` : 'account' });
    await call.transact(async () => {}, contract.SIGN_IN_REFUSED.code);
    throw contract.SIGN_IN_REFUSED();
  },

  refreshSession: async (call) => {
    const { tx, services, request, answer } = call;
    if (request.origin !== '' && request.origin !== services.baseUrl) throw contract.FOREIGN_ORIGIN();
    const ticket = refreshTicketIn(request.cookie);
    if (ticket === undefined) throw contract.SESSION_ENDED();
    const session = await sessions.refresh(tx, services.keys.derive('refresh'), ticket);
    const account = session && (await people.find(tx, session.account_id));
    if (session && account) return sessionReply(call, session, account);
    answer.recordEffect({ object: 'session' });
    throw contract.SESSION_ENDED({ commits: true, headers: { 'set-cookie': clearedRefreshCookie } });
  },

  deleteSession: async ({ tx, caller, answer, services }) => {
    const session = caller.credential.replace('session:', '');
    await sessions.end(tx, session);
    answer.headers['set-cookie'] = clearedRefreshCookie;
    const address = await findSignOutUrl(tx, services.keys, session);
    if (address === undefined) return {};
    const url = new URL(address);
    url.searchParams.set('post_logout_redirect_uri', `${services.baseUrl}/sign-in`);
    return { signOutUrl: url.href };
  },

  setUp: async (call) => {
    const { body, services, now } = call;
    if (!hasValidPasswordLength(body.password)) throw PASSWORD_TOO_WEAK();
    const token = new Secret(body.setupToken);
    if (!(await call.read((tx) => isSetupTokenValid(tx, services.keys, { token, now }))))
      throw contract.SETUP_REFUSED();
    const passwordHash = await hashPassword(new Secret(body.password));
    return call.transact(async (tx) => {
      const isStillOpen = await isSetupTokenValid(tx, services.keys, { token, now, isLocked: true });
      if (!isStillOpen) throw contract.SETUP_REFUSED();
      const { email, name, deploymentName } = body;
      const administrator = { email, passwordHash, name: name.trim(), deploymentName: deploymentName.trim() };
      return signIn(call, tx, await createFirstAdministrator(tx, services.keys, administrator));
    });
  },

  acceptInvitation: accept,
});
