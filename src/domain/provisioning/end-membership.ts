import * as tokens from '#domain/accounts/api-tokens.ts';
import * as cliLogins from '#domain/accounts/cli-logins.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import * as accounts from '#domain/accounts/store.ts';
import * as invitations from '#domain/invitations/store.ts';
import type { Tx } from '#kernel/db/tx.ts';

export interface EndedMembership {
  deployment: string;
  account: string;
  /** Gets the API tokens that the account created; without it they are revoked. */
  tokensTo?: string | undefined;
  endsSessions: boolean;
}

/**
 * Removes a member, and with them what could bring them back or act for them: tokens, logins of command lines that wait
 * for their token, invitations and sessions. Returns how many of each, for the audit trail.
 */
export async function endMembership(tx: Tx, { tokensTo, endsSessions, ...member }: EndedMembership) {
  // First, because only the sessions of members can be ended here.
  const endedSessions = endsSessions ? await sessions.endAll(tx, member.account) : 0;
  await accounts.removeMembership(tx, member);
  const keptTokens = tokensTo === undefined ? 0 : await tokens.transfer(tx, member, tokensTo);
  return {
    endedSessions,
    keptTokens,
    revokedTokens: await tokens.revokeOf(tx, member),
    cancelledLogins: await cliLogins.removeOf(tx, member),
    cancelledInvitations: await invitations.removeOf(tx, member),
  };
}
