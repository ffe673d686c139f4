const ADDRESS = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"()]+$/;

export interface ParsedAddresses {
  /** Without duplicates. */
  good: string[];
  /** Invalid addresses, and lines without an address. */
  bad: string[];
}

/** Parses pasted e-mail addresses: one per line, separated by commas, or as an e-mail program copies them. */
export function parseAddresses(text: string): ParsedAddresses {
  const good = new Map<string, string>();
  const bad = new Set<string>();
  for (const line of text.split(/[\n;,]+/)) {
    const words = line.split(/[\s<>"()]+/).filter((word) => word !== '');
    const candidates = words.filter((word) => word.includes('@'));
    // A name next to an address is fine; a line without any address is probably a typo.
    if (candidates.length === 0 && words.length > 0) bad.add(words.join(' '));
    for (const word of candidates)
      if (ADDRESS.test(word)) good.set(word.toLowerCase(), good.get(word.toLowerCase()) ?? word);
      else bad.add(word);
  }
  return { good: [...good.values()], bad: [...bad] };
}

export const MAX_INVITES_PER_REQUEST = 20;

export interface InviteResult {
  sentences: string[];
  /** Links to pass on if the server sends no e-mail. */
  links: { email: string; link: string }[];
}

/** Parses the reply to an invitation into sentences and links. */
export function parseInviteReply(message: string): InviteResult {
  const lines = message.split('\n').filter((line) => line !== '');
  const link = (line: string) => /^(\S+@\S+): (https?:\/\/\S+)$/.exec(line);
  return {
    sentences: lines.filter((line) => !link(line)),
    links: lines.flatMap((line) => {
      const [, email, url] = link(line) ?? [];
      return email === undefined || url === undefined ? [] : [{ email, link: url }];
    }),
  };
}

const COUNTED = /^(\d+) (?:person|people) (.*)$/;

/** Merges several replies: adds up the counts and removes duplicate sentences. */
export function summarizeInvites(results: readonly InviteResult[]): string[] {
  const counts = new Map<string, number>();
  const others = new Set<string>();
  for (const sentence of results.flatMap(({ sentences }) => sentences)) {
    const [, count, rest] = COUNTED.exec(sentence) ?? [];
    if (rest === undefined) others.add(sentence);
    else counts.set(rest, (counts.get(rest) ?? 0) + Number(count));
  }
  const counted = [...counts].map(([rest, count]) => `${count === 1 ? '1 person' : `${count} people`} ${rest}`);
  return [...counted, ...others];
}
