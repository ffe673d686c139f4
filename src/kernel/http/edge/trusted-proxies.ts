import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

const MAPPED = '::ffff:';
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

/** The proxies whose X-Forwarded-For header is trusted; with an empty list the socket address is used. */
export class TrustedProxies {
  // One list per family, because a BlockList treats every IPv4 address as part of the IPv6 range ::/0.
  readonly #ranges = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** Parses addresses and CIDR ranges separated by commas or white space; each error is a sentence. */
  static parse(text: string): { proxies: TrustedProxies; errors: string[] } {
    const proxies = new TrustedProxies();
    const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
    return { proxies, errors: entries.flatMap((entry) => proxies.#trust(entry) ?? []) };
  }

  /** The address of the client: the first from the right that is not a trusted proxy. */
  addressOf(socketAddress: string, forwardedFor: string | undefined): string {
    const peer = canonical(socketAddress) ?? socketAddress;
    if (forwardedFor === undefined || !this.#isTrusted(peer)) return peer;
    let client = peer;
    for (const hop of forwardedFor.split(',').reverse()) {
      const address = hop.includes('%') ? undefined : canonical(hop.trim());
      if (address === undefined) return peer;
      client = address;
      if (!this.#isTrusted(address)) break;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    if (isIP(address) === 0) return false;
    const family = familyOf(address);
    return this.#ranges[family].check(address, family);
  }

  #trust(entry: string): string | undefined {
    const [base = '', prefix, ...more] = entry.split('/');
    const address = base.includes('%') ? undefined : canonical(base);
    if (address === undefined || more.length > 0) return `"${entry}" is not an IP address or CIDR range.`;
    const family = familyOf(address);
    if (prefix === undefined) {
      this.#ranges[family].addAddress(address, family);
      return undefined;
    }
    if (isIPv4(address) && !isIPv4(base)) return `"${entry}" is an IPv4 range and must be written as one.`;
    const isPrefix = PREFIX.test(prefix) && Number(prefix) <= (family === 'ipv4' ? 32 : 128);
    if (!isPrefix) return `"${entry}" has no valid prefix length.`;
    this.#ranges[family].addSubnet(address, Number(prefix), family);
    return undefined;
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** The canonical spelling of an address: without zone, IPv6 shortened, IPv4-mapped IPv6 as IPv4. */
function canonical(address: string): string | undefined {
  const bare = address.replace(/%.*$/s, '');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return undefined;
  const short = new SocketAddress({ address: bare, family: 'ipv6' }).address;
  const mapped = short.startsWith(MAPPED) ? short.slice(MAPPED.length) : '';
  return isIPv4(mapped) ? mapped : short;
}
