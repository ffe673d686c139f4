const ADDRESS = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"()]+$/;

export interface ParsedAddresses {
  /** Each once, as it was written first. */
  good: string[];
  /** Words with an @ that are no address, and words of lines without one. */
  bad: string[];
}

/** The e-mail addresses in what was pasted: one a line, a list with commas, or as a mail program copies them. */
export function parseAddresses(text: string): ParsedAddresses {
  const good = new Map<string, string>();
  const bad = new Set<string>();
  for (const line of text.split(/[\n;,]+/)) {
    const words = line.split(/[\s<>"()]+/).filter((word) => word !== '');
    const candidates = words.filter((word) => word.includes('@'));
    // A name beside an address is not one that was mistyped; a line of its own is.
    if (candidates.length === 0 && words.length > 0) bad.add(words.join(' '));
    for (const word of candidates)
      if (ADDRESS.test(word)) good.set(word.toLowerCase(), good.get(word.toLowerCase()) ?? word);
      else bad.add(word);
  }
  return { good: [...good.values()], bad: [...bad] };
}

export const MAX_INVITES_PER_REQUEST = 20;

/** The addresses in portions that one request takes. */
export const inviteBatches = (addresses: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(addresses.length / MAX_INVITES_PER_REQUEST) }, (_, index) =>
    addresses.slice(index * MAX_INVITES_PER_REQUEST, (index + 1) * MAX_INVITES_PER_REQUEST),
  );

export interface InviteResult {
  sentences: string[];
  /** What to hand over where the server sends no mail. */
  links: { email: string; link: string }[];
}

/** The answer to an invitation: sentences, and the links among its lines. */
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

/** What several answers say together: numbers are added up, and what is said twice is said once. */
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
