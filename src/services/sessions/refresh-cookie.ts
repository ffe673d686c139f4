import { cookieIn } from '#domain/accounts/device-cookie.ts';

const NAME = '__Host-parapet_refresh';
const LIFETIME_SECONDS = 30 * 24 * 3600;
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The refresh cookie, not readable by scripts and not sent from other sites. */
export const refreshCookie = (ticket: string): string =>
  `${NAME}=${ticket}; ${ATTRIBUTES}; Max-Age=${LIFETIME_SECONDS}`;

export const clearedRefreshCookie = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

export const refreshTicketIn = (cookieHeader: string): string | undefined => cookieIn(cookieHeader, NAME);
