import { isIPv4, isIPv6 } from 'node:net';

export type IpAddress = { readonly family: 4 | 6; readonly value: bigint };
export type IpNetwork = IpAddress & { readonly prefix: number };

const WIDTH = { 4: 32, 6: 128 } as const;
const MAPPED_START = 0xffffn;

/** Parses an address; an IPv4-mapped IPv6 address becomes its IPv4 address, and a zone is refused. */
export function parseAddress(text: string): IpAddress | null {
  if (isIPv4(text)) return { family: 4, value: joinParts(text.split('.'), 10, 8n) };
  if (!isIPv6(text) || text.includes('%')) return null;
  const value = joinParts(groupsOf(text), 16, 16n);
  return value >> 32n === MAPPED_START ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

/** Parses a network such as `10.0.0.0/8`, whose address has no host bits. */
export function parseNetwork(text: string): IpNetwork | null {
  const [, base = '', digits = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = parseAddress(base);
  const prefix = Number(digits);
  if (!address || digits === '' || prefix > WIDTH[address.family]) return null;
  if (address.family === 4 && base.includes(':')) return null;
  const hostBits = BigInt(WIDTH[address.family] - prefix);
  return (address.value >> hostBits) << hostBits === address.value ? { ...address, prefix } : null;
}

/** Parses networks of our own code, separated by spaces. */
export function parseNetworks(list: string): readonly IpNetwork[] {
  return list.split(' ').map((text) => {
    const network = parseNetwork(text);
    if (!network) throw new TypeError(`"${text}" is not a network.`);
    return network;
  });
}

export function isInside(address: IpAddress, network: IpNetwork): boolean {
  if (address.family !== network.family) return false;
  const hostBits = BigInt(WIDTH[network.family] - network.prefix);
  return address.value >> hostBits === network.value >> hostBits;
}

/** True for a network of one address. */
export function isSingle(network: IpNetwork): boolean {
  return network.prefix === WIDTH[network.family];
}

function joinParts(parts: readonly string[], radix: number, bits: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bits) + BigInt(Number.parseInt(part, radix)), 0n);
}

function groupsOf(text: string): string[] {
  const hex = text.replace(/[\d.]+$/, (tail) => (tail.includes('.') ? dottedToGroups(tail) : tail));
  const [head = '', tail] = hex.split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail === undefined) return left;
  const right = tail === '' ? [] : tail.split(':');
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
}

function dottedToGroups(dotted: string): string {
  const value = Number(joinParts(dotted.split('.'), 10, 8n));
  return `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
}
