import type { EgressAllow } from '#kernel/outbound/allowed-addresses.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import { parseAddress } from '#kernel/outbound/ip.ts';

const MAX_URL_LENGTH = 8_192;
const DEFAULT_PORTS: ReadonlySet<number> = new Set([443, 8443]);

/** The part of a URL that decides where a request goes. */
export type EgressTarget = {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly isTls: boolean;
  readonly isLiteral: boolean;
  /** `host:port`, as in the operator's allow list. */
  readonly name: string;
};

/** Parses a URL: https on the default ports, or any port and http for hosts that the operator allows. */
export function parseTarget(text: string, allow: EgressAllow): EgressTarget {
  const url = parseUrl(text);
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const name = `${url.hostname}:${port}`;
  const isNamed = allow.targets.has(name);
  if (!isTls && !isNamed) throw new EgressFailure('bad_url', 'HTTPS_REQUIRED');
  if (!DEFAULT_PORTS.has(port) && !isNamed) throw new EgressFailure('denied_address', 'PORT');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port, path: url.pathname + url.search, isTls, isLiteral: parseAddress(host) !== null, name };
}

// The WHATWG parser drops tabs and line breaks and converts backslashes, so such texts are refused first.
function parseUrl(text: string): URL {
  const isPlain = text.length <= MAX_URL_LENGTH && /^[^\s\\\p{Cc}]+$/u.test(text);
  const url = isPlain ? URL.parse(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new EgressFailure('bad_url', 'SYNTAX');
  if (url.username !== '' || url.password !== '') throw new EgressFailure('bad_url', 'USER_INFO');
  if (url.hostname.endsWith('.')) throw new EgressFailure('bad_url', 'TRAILING_DOT');
  return url;
}
