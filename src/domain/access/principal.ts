import type { Caller } from '#kernel/auth/caller.ts';

/** Whose the state of a reader is, such as what was seen: a person's over all sessions, else the token's own. */
export const principalOf = (caller: Caller): string =>
  caller.kind === 'user' ? `account:${caller.userId}` : caller.credential;

/** Tokens see more than teams do, but what is meant for administrators goes by the role alone. */
export const isAdministrator = (caller: Caller): boolean => caller.role === 'ORG_ROLE_ADMIN';
