import {
  type IpAddress,
  type IpNetwork,
  isInside,
  isSingle,
  parseAddress,
  parseNetwork,
  parseNetworks,
} from '#kernel/outbound/ip.ts';

/** What the operator allows the server to reach besides the public internet. */
export type EgressAllow = { readonly targets: ReadonlySet<string>; readonly networks: readonly IpNetwork[] };

/** The ranges that can be public; all others are denied by default. */
const PUBLIC = parseNetworks('0.0.0.0/0 2000::/3');

/** IANA special-purpose ranges within the above, and service addresses of clouds. */
const SPECIAL = parseNetworks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 ' +
    '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32 ' +
    '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20',
);

/** Loopback, link-local, metadata services, multicast, and ranges that embed an IPv4 address. */
const GUARDED = parseNetworks(
  '0.0.0.0/8 127.0.0.0/8 169.254.0.0/16 100.100.100.200/32 168.63.129.16/32 192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 ' +
    '::/96 ::ffff:0:0:0/96 64:ff9b::/32 2001::/32 2002::/16 fd00:ec2::/32 fd20:ce::/64 fe80::/10 fec0::/10 ff00::/8',
);

const LOOPBACK = parseNetworks('127.0.0.0/8 ::1/128');

/** Tells whether a connection to the address is allowed, for `target` (`host:port`) if one is given. */
export function isAllowedAddress(ip: string, allow: EgressAllow, target?: string): boolean {
  const address = parseAddress(ip);
  if (!address) return false;
  if (isIn(address, PUBLIC) && !isIn(address, SPECIAL)) return true;
  const namedTarget = target !== undefined && allow.targets.has(target) ? target : null;
  if (isNamedSingly(address, allow, namedTarget)) return true;
  return !isIn(address, GUARDED) && (namedTarget !== null || isIn(address, allow.networks));
}

// A host name never allows a guarded address, because the owner of its DNS zone could point it anywhere.
function isNamedSingly(address: IpAddress, allow: EgressAllow, namedTarget: string | null): boolean {
  if (isIn(address, allow.networks.filter(isSingle))) return true;
  if (namedTarget === null) return false;
  const host = hostOf(namedTarget);
  const literal = parseAddress(host);
  if (literal) return literal.family === address.family && literal.value === address.value;
  return host === 'localhost' && isIn(address, LOOPBACK);
}

function isIn(address: IpAddress, networks: readonly IpNetwork[]): boolean {
  return networks.some((network) => isInside(address, network));
}

/** Parses the operator's comma-separated list of `host:port` and CIDR items, with one error for each invalid item. */
export function parseEgressAllow(text: string): { allow: EgressAllow; errors: string[] } {
  const targets = new Set<string>();
  const networks: IpNetwork[] = [];
  const errors: string[] = [];
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const network = item.includes('/') ? parseNetwork(item) : null;
    const target = item.includes('/') ? null : parseTarget(item);
    if (network && isNarrow(network)) networks.push(network);
    else if (target) targets.add(target);
    else errors.push(`"${item}" is neither host:port nor a CIDR network of at least /8 (IPv6: /7) without host bits.`);
  }
  return { allow: { targets, networks }, errors };
}

function isNarrow(network: IpNetwork): boolean {
  return network.prefix >= (network.family === 4 ? 8 : 7);
}

function parseTarget(item: string): string | null {
  const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[a-z\d_.-]+):([1-9]\d{0,4})$/i.exec(item) ?? [];
  if (Number(port) > 65_535 || !URL.canParse(`http://${host}`) || host.endsWith('.')) return null;
  const { hostname } = new URL(`http://${host}`);
  const isRespelled = parseAddress(hostname) !== null && hostname !== host;
  return host === '' || isRespelled ? null : `${hostname}:${port}`;
}

function hostOf(target: string): string {
  return target.slice(0, target.lastIndexOf(':')).replace(/^\[|\]$/g, '');
}
