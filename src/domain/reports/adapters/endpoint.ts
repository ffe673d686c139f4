import { withoutUserInformation } from '#domain/projects/clone-address-rules.ts';

const HAS_SCHEME = /^[a-z][a-z\d+.-]{0,20}:\/\//i;

/**
 * The place of a running service: a URL without query, fragment and credentials, which change from run to run, or
 * `host:port/protocol`.
 */
export function endpointOf(address: string, port?: string): string {
  if (!HAS_SCHEME.test(address)) {
    const bare = address.split(/[?#]/, 1)[0] ?? '';
    return port === undefined || bare === '' ? bare : `${bare}:${port}`;
  }
  const cut = address.split(/[?#]/, 1)[0] ?? '';
  try {
    const url = new URL(cut);
    const path = url.pathname === '' ? '/' : url.pathname;
    return `${url.protocol}//${url.host}${path}`;
  } catch {
    return withoutUserInformation(cut);
  }
}
