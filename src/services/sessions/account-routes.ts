import { deviceCookie, deviceIn } from '#domain/accounts/device-cookie.ts';
import { checkPassword, networkOf } from '#domain/accounts/password-guesses.ts';
import { resetLinkOf } from '#domain/accounts/reset-link.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import { PASSWORD_WRONG } from '#domain/accounts/shape.ts';
import * as people from '#domain/accounts/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { hashPassword } from '#kernel/crypto/password.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import { enqueue } from '#kernel/jobs/job.ts';
import * as contract from './account-contract.ts';
import { completeReset } from './complete-reset.ts';
import { resetMail } from './reset-mail.ts';
import { PASSWORD_TOO_WEAK } from './session-shape.ts';
import { hasValidPasswordLength } from './sign-in.ts';

const RESET_LIFETIME_MS = 3_600_000;
const SERVER = '0';

const sessionOf = (caller: Caller) => caller.credential.replace('session:', '');

/** AccountService: the password and the sessions of the caller. */
export const accountGroup = group(
  'AccountService',
  contract,
  {
    changePassword: async (call) => {
      const { body, caller, services, answer, now } = call;
      if (!hasValidPasswordLength(body.newPassword)) throw PASSWORD_TOO_WEAK();
      const { address, cookie } = call.request;
      const findAccount = () => call.read((tx) => people.find(tx, caller.userId));
      const password = new Secret(body.currentPassword);
      const guess = { email: caller.email, password, address, cookie, now, findAccount };
      const { account, isCorrect } = await checkPassword(services, guess);
      answer.recordEffect({ object: `account/${caller.userId}` });
      if (!account || !isCorrect) {
        await call.transact(async () => {}, PASSWORD_WRONG.code);
        throw PASSWORD_WRONG();
      }
      const hash = await hashPassword(new Secret(body.newPassword));
      await call.transact(async (tx) => {
        // A reset in the meantime has replaced the password that was checked.
        if (!(await people.replacePassword(tx, account, hash))) throw PASSWORD_WRONG();
        await sessions.endAllBut(tx, caller.userId, sessionOf(caller));
      });
      const key = services.keys.derive('device');
      const known = deviceIn(key, cookie, now);
      answer.cookies.push(deviceCookie(key, { id: account.id, password_hash: hash }, { ...(known && { known }), now }));
      return {};
    },

    listSessions: async ({ query, tx, caller }) => {
      const rows = await sessions.list(tx, caller.userId, { includesEnded: query.includeEnded === true });
      return { sessions: rows.map((row) => ({ ...row, current: row.id === sessionOf(caller) })) };
    },

    endSession: async ({ path, tx, caller, answer }) => {
      if ((await sessions.endOne(tx, caller.userId, path.sessionId)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `session/${path.sessionId}` });
      return {};
    },

    endOtherSessions: async ({ tx, caller, answer }) => {
      const ended = await sessions.endAllBut(tx, caller.userId, sessionOf(caller));
      answer.recordEffect({ object: `account/${caller.userId}`, after: { ended } });
      return { ended };
    },

    requestPasswordReset: async ({ body, tx, services, request, now, answer }) => {
      const key = people.emailKey(body.email);
      services.limits.take('login-address', `reset ${networkOf(request.address)}`);
      services.limits.take('reset', key);
      const account = await people.findByEmail(tx, body.email);
      const isOpen = account && !account.disabled_at && !account.deleted_at;
      const link = isOpen ? resetLinkOf(account, { now, lifetimeMs: RESET_LIFETIME_MS }) : undefined;
      await enqueue(tx, resetMail, { deployment: SERVER, payload: { email: account?.email ?? body.email, link } });
      answer.recordEffect({ object: account ? `account/${account.id}` : 'account' });
      return {};
    },

    completePasswordReset: completeReset,
  },
  {
    objects: {
      sessionId: async (tx, { id, caller }) =>
        (await sessions.isActive(tx, caller.userId, id)) ? new Set<string>() : undefined,
    },
  },
);
