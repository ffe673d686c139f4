/** One token of a pattern within a path segment. */
type Token =
  | { kind: 'star' }
  | { kind: 'any' }
  | { kind: 'literal'; text: string }
  | { kind: 'class'; isNegated: boolean; ranges: readonly (readonly [from: string, to: string])[] };

/** A segment of a pattern; `**` (deep) matches any number of path segments. */
export type GlobSegment = { kind: 'deep' } | { kind: 'plain'; tokens: readonly Token[] };

function parseClass(characters: readonly string[], start: number): { token: Token; end: number } | undefined {
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

function parseSegment(text: string): GlobSegment {
  if (text === '**') return { kind: 'deep' };
  const characters = [...text];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    const found = character === '[' ? parseClass(characters, at) : undefined;
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

export const parseGlob = (pattern: string): GlobSegment[] => pattern.split('/').map(parseSegment);

function matchesCharacter(token: Token | undefined, character: string): boolean {
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

/** Backtracks only to the last star, so the time is bounded by the product of both lengths. */
function matchesSegment(tokens: readonly Token[], text: string): boolean {
  const characters = [...text];
  let [at, item, starAt, starItem] = [0, 0, -1, 0];
  while (item < characters.length) {
    if (tokens[at]?.kind === 'star') [starAt, starItem, at] = [at, item, at + 1];
    else if (matchesCharacter(tokens[at], characters[item] ?? '')) [at, item] = [at + 1, item + 1];
    else if (starAt >= 0) [at, starItem, item] = [starAt + 1, starItem + 1, starItem + 1];
    else return false;
  }
  return tokens.slice(at).every(({ kind }) => kind === 'star');
}

/**
 * Tells for each prefix of a path whether the pattern matches all of it. Simulates all positions in the pattern at
 * once, like an NFA, so the time is bounded by the product of both lengths.
 */
export function matchingPrefixes(pattern: readonly GlobSegment[], path: readonly string[]): boolean[] {
  let positions = withDeep(pattern, new Set([0]));
  return path.map((text) => {
    const next = new Set<number>();
    for (const position of positions) {
      const segment = pattern[position];
      if (segment?.kind === 'deep') next.add(position);
      else if (segment && matchesSegment(segment.tokens, text)) next.add(position + 1);
    }
    positions = withDeep(pattern, next);
    return positions.has(pattern.length);
  });
}

/** `**` also matches no segment at all. */
function withDeep(pattern: readonly GlobSegment[], positions: Set<number>): Set<number> {
  for (const position of positions) if (pattern[position]?.kind === 'deep') positions.add(position + 1);
  return positions;
}
