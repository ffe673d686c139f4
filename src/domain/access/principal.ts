import type { Caller } from '#kernel/auth/caller.ts';

/** The owner of per-caller state, such as seen notifications: the account in all of its sessions, or the token. */
export const principalOf = (caller: Caller): string =>
  caller.kind === 'user' ? `account:${caller.userId}` : caller.credential;

/** Decided by the role alone: a token that sees all projects is not for that reason an administrator. */
export const isAdministrator = (caller: Caller): boolean => caller.role === 'ORG_ROLE_ADMIN';
