/** One place of a pattern within a segment of a path. */
type Token =
  | { kind: 'star' }
  | { kind: 'any' }
  | { kind: 'literal'; text: string }
  | { kind: 'class'; isNegated: boolean; ranges: readonly (readonly [from: string, to: string])[] };

/** A segment of a pattern, or `**`, which stands for any number of segments. */
export type GlobSegment = { kind: 'deep' } | { kind: 'plain'; tokens: readonly Token[] };

function readClass(characters: readonly string[], start: number): { token: Token; end: number } | undefined {
  let at = start + 1;
  const isNegated = characters[at] === '!' || characters[at] === '^';
  if (isNegated) at++;
  const ranges: [string, string][] = [];
  for (const first = at; at < characters.length; at++) {
    let from = characters[at] ?? '';
    if (from === ']' && at > first) return { token: { kind: 'class', isNegated, ranges }, end: at };
    if (from === '\\') from = characters[++at] ?? '';
    const hasEnd = characters[at + 1] === '-' && at + 2 < characters.length && characters[at + 2] !== ']';
    if (hasEnd) at += 2;
    ranges.push([from, characters[at] ?? from]);
  }
  return undefined;
}

function readSegment(text: string): GlobSegment {
  if (text === '**') return { kind: 'deep' };
  const characters = [...text];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    const found = character === '[' ? readClass(characters, at) : undefined;
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') tokens.push({ kind: 'any' });
    else if (found) {
      tokens.push(found.token);
      at = found.end;
    } else tokens.push({ kind: 'literal', text: character === '\\' ? (characters[++at] ?? '\\') : character });
  }
  return { kind: 'plain', tokens };
}

export const parseGlob = (pattern: string): GlobSegment[] => pattern.split('/').map(readSegment);

function fits(token: Token | undefined, character: string): boolean {
  switch (token?.kind) {
    case 'any':
      return true;
    case 'literal':
      return token.text === character;
    case 'class':
      return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.isNegated;
    default:
      return false;
  }
}

/** Only the last star ever has to take one more, so the time is bounded by the product of both lengths. */
function segmentFits(tokens: readonly Token[], text: string): boolean {
  const characters = [...text];
  let [at, item, starAt, starItem] = [0, 0, -1, 0];
  while (item < characters.length) {
    if (tokens[at]?.kind === 'star') [starAt, starItem, at] = [at, item, at + 1];
    else if (fits(tokens[at], characters[item] ?? '')) [at, item] = [at + 1, item + 1];
    else if (starAt >= 0) [at, starItem, item] = [starAt + 1, starItem + 1, starItem + 1];
    else return false;
  }
  return tokens.slice(at).every(({ kind }) => kind === 'star');
}

/**
 * Tells of each beginning of a path whether the pattern stands for all of it. All places that the pattern can have
 * come to go forward together, so the time is bounded by the product of both lengths.
 */
export function matchingPrefixes(pattern: readonly GlobSegment[], path: readonly string[]): boolean[] {
  let places = withDeep(pattern, new Set([0]));
  return path.map((text) => {
    const next = new Set<number>();
    for (const place of places) {
      const segment = pattern[place];
      if (segment?.kind === 'deep') next.add(place);
      else if (segment && segmentFits(segment.tokens, text)) next.add(place + 1);
    }
    places = withDeep(pattern, next);
    return places.has(pattern.length);
  });
}

/** `**` may also stand for nothing. */
function withDeep(pattern: readonly GlobSegment[], places: Set<number>): Set<number> {
  for (const place of places) if (pattern[place]?.kind === 'deep') places.add(place + 1);
  return places;
}
