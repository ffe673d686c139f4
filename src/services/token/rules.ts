import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS } from './contract.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The expiry of a new token, by default after 90 days; undefined if the requested expiry is not allowed. */
export function expiryOf(requested: Date | undefined, now: Date): Date | undefined {
  if (requested === undefined) return new Date(now.getTime() + DEFAULT_TOKEN_DAYS * DAY_MS);
  const isAllowed = requested > now && requested.getTime() <= now.getTime() + MAX_TOKEN_DAYS * DAY_MS;
  return isAllowed ? requested : undefined;
}

/** The reason why a bulk deletion is refused, or undefined. */
export function filterProblem(purpose: string | undefined, roleFilter: string | undefined): string | undefined {
  switch (purpose) {
    case 'TOKEN_PURPOSE_CLI':
      return roleFilter === undefined ? undefined : 'roleFilter does not go with TOKEN_PURPOSE_CLI';
    case 'TOKEN_PURPOSE_API':
      return roleFilter === undefined ? 'roleFilter is required with TOKEN_PURPOSE_API' : undefined;
    case undefined:
      return 'purpose is required';
    default:
      return `purpose must be TOKEN_PURPOSE_CLI or TOKEN_PURPOSE_API, not ${purpose}`;
  }
}
