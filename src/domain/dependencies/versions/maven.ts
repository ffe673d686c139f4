import { compareDigits, compareLists, compareTexts, createVersionOrder, isDigits } from './version-order.ts';

/** A part of a version: where it hangs decides what it is compared with when the other version has ended. */
interface Token {
  hangsOnHyphen: boolean;
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

/** Splits at dots, hyphens and between digits and letters; a qualifier hangs on a hyphen wherever it was written. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [index, chunk] of text.split(/(?=[.\-_])/).entries()) {
    const startsAtHyphen = /^[-_]/.test(chunk);
    const parts = chunk.replace(/^[.\-_]/, '').match(/\d+|[^\d]+/g) ?? ['0'];
    for (const [at, part] of parts.entries()) {
      const word = isDigits(part) ? part : qualifierOf(part, isDigits(parts[at + 1] ?? ''));
      const hangsOnHyphen = !isDigits(part) || at > 0 || (index > 0 && startsAtHyphen);
      tokens.push({ hangsOnHyphen, text: word });
    }
  }
  return trimmed(tokens);
}

function qualifierOf(part: string, isBeforeNumber: boolean): string {
  const full = isBeforeNumber ? (SHORT.get(part) ?? part) : part;
  return ALIASES.get(full) ?? full;
}

/** What means nothing is taken away at the end, and before each hyphen. */
function trimmed(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (const token of tokens) {
    if (token.hangsOnHyphen) dropNulls(kept);
    kept.push(token);
  }
  dropNulls(kept);
  return kept;
}

function dropNulls(tokens: Token[]): void {
  for (let last = tokens.at(-1); last && tokens.length > 1 && isNull(last); last = tokens.at(-1)) tokens.pop();
}

const isQualifier = ({ text }: Token) => !isDigits(text);
const rankOf = (token: Token) => (isQualifier(token) ? 0 : token.hangsOnHyphen ? 1 : 2);

function compareQualifiers(one: string, other: string): number {
  const [a, b] = [QUALIFIERS.indexOf(one), QUALIFIERS.indexOf(other)];
  const rank = (at: number) => (at === -1 ? QUALIFIERS.length : at);
  return rank(a) - rank(b) || compareTexts(one, other);
}

const fillFor = ({ hangsOnHyphen }: Token): Token => ({ hangsOnHyphen, text: hangsOnHyphen ? '' : '0' });

function compareTokens(one: Token | undefined, other: Token | undefined): number {
  const known = one ?? other;
  if (!known) return 0;
  const [a, b] = [one ?? fillFor(known), other ?? fillFor(known)];
  if (rankOf(a) !== rankOf(b)) return rankOf(a) - rankOf(b);
  return isQualifier(a) ? compareQualifiers(a.text, b.text) : compareDigits(a.text, b.text);
}

/** Versions of Maven artifacts, as its version order specification says. */
export const maven = createVersionOrder(
  (text) => (/^\d/.test(text) ? tokensOf(text.toLowerCase()) : undefined),
  (one, other) => compareLists<Token | undefined>(one, other, { fill: undefined, compare: compareTokens }),
);
