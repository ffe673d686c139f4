import { compareDigits, compareLists, compareTexts, createVersionOrder, isDigits } from './version-order.ts';

/** A token of a version. Its separator decides how it is padded when the other version is shorter. */
interface Token {
  followsHyphen: boolean;
  text: string;
}

const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const ALIASES = new Map([
  ['cr', 'rc'],
  ['ga', ''],
  ['final', ''],
  ['release', ''],
]);
const SHORT = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
]);

const isNull = ({ text }: Token) => text === '' || /^0+$/.test(text);

/** Splits at dots, hyphens and between digits and letters; a qualifier always counts as following a hyphen. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [index, chunk] of text.split(/(?=[.\-_])/).entries()) {
    const startsAtHyphen = /^[-_]/.test(chunk);
    const parts = chunk.replace(/^[.\-_]/, '').match(/\d+|[^\d]+/g) ?? ['0'];
    for (const [at, part] of parts.entries()) {
      const word = isDigits(part) ? part : qualifierOf(part, isDigits(parts[at + 1] ?? ''));
      const followsHyphen = !isDigits(part) || at > 0 || (index > 0 && startsAtHyphen);
      tokens.push({ followsHyphen, text: word });
    }
  }
  return trimmed(tokens);
}

function qualifierOf(part: string, isBeforeNumber: boolean): string {
  const full = isBeforeNumber ? (SHORT.get(part) ?? part) : part;
  return ALIASES.get(full) ?? full;
}

/** Removes null tokens at the end and before each hyphen. */
function trimmed(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (const token of tokens) {
    if (token.followsHyphen) dropNulls(kept);
    kept.push(token);
  }
  dropNulls(kept);
  return kept;
}

function dropNulls(tokens: Token[]): void {
  for (let last = tokens.at(-1); last && tokens.length > 1 && isNull(last); last = tokens.at(-1)) tokens.pop();
}

const isQualifier = ({ text }: Token) => !isDigits(text);
const rankOf = (token: Token) => (isQualifier(token) ? 0 : token.followsHyphen ? 1 : 2);

function compareQualifiers(one: string, other: string): number {
  const [a, b] = [QUALIFIERS.indexOf(one), QUALIFIERS.indexOf(other)];
  const rank = (at: number) => (at === -1 ? QUALIFIERS.length : at);
  return rank(a) - rank(b) || compareTexts(one, other);
}

const paddingFor = ({ followsHyphen }: Token): Token => ({ followsHyphen, text: followsHyphen ? '' : '0' });

function compareTokens(one: Token | undefined, other: Token | undefined): number {
  const present = one ?? other;
  if (!present) return 0;
  const [a, b] = [one ?? paddingFor(present), other ?? paddingFor(present)];
  if (rankOf(a) !== rankOf(b)) return rankOf(a) - rankOf(b);
  return isQualifier(a) ? compareQualifiers(a.text, b.text) : compareDigits(a.text, b.text);
}

/** The Maven version order specification. */
export const maven = createVersionOrder(
  (text) => (/^\d/.test(text) ? tokensOf(text.toLowerCase()) : undefined),
  (one, other) => compareLists<Token | undefined>(one, other, { fill: undefined, compare: compareTokens }),
);
