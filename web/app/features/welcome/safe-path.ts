/** Accepts only paths on this server, to prevent open redirects. */
export const safePath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';
