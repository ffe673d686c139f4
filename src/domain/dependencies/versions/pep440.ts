import { compareDigits, compareLists, compareTexts, createVersionOrder, isDigits } from './version-order.ts';

interface Pep440Version {
  epoch: string;
  release: string[];
  /** Each is the rank of the phase and its number. */
  pre: [rank: number, number: string];
  post: [rank: number, number: string];
  dev: [rank: number, number: string];
  local: string[] | undefined;
}

const PATTERN = new RegExp(
  [
    /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)/,
    /(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?/,
    /(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?/,
    /(?:[-_.]?(dev)[-_.]?(\d*))?/,
    /(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

const PHASES: Record<string, number> = { a: 1, alpha: 1, b: 2, beta: 2, c: 3, rc: 3, pre: 3, preview: 3 };
const BEFORE_ALL = 0;
const RELEASED = 4;

function parse(text: string): Pep440Version | undefined {
  const found = PATTERN.exec(text.toLowerCase());
  if (!found) return undefined;
  const [, epoch = '0', release = '', phase, number, implicitPost, post, postNumber, dev, devNumber, local] = found;
  const hasPost = implicitPost !== undefined || post !== undefined;
  // A development release sorts before all other versions of the same release.
  const onlyDev = dev !== undefined && phase === undefined && !hasPost;
  return {
    epoch,
    release: release.split('.'),
    pre: phase === undefined ? [onlyDev ? BEFORE_ALL : RELEASED, '0'] : [PHASES[phase] ?? RELEASED, number || '0'],
    post: hasPost ? [1, implicitPost ?? (postNumber || '0')] : [0, '0'],
    dev: dev === undefined ? [1, '0'] : [0, devNumber || '0'],
    local: local?.split(/[-_.]/),
  };
}

const comparePhase = (one: [number, string], other: [number, string]) =>
  one[0] - other[0] || compareDigits(one[1], other[1]);

/** Numbers sort after words, and a label after its own prefix. */
function compareLocal(one: readonly string[] = [], other: readonly string[] = []): number {
  return compareLists<string | undefined>(one, other, {
    fill: undefined,
    compare: (a, b) => {
      if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
      if (isDigits(a) !== isDigits(b)) return isDigits(a) ? 1 : -1;
      return isDigits(a) ? compareDigits(a, b) : compareTexts(a, b);
    },
  });
}

/** Versions of Python packages, as PEP 440 orders them. */
export const pep440 = createVersionOrder(
  parse,
  (one, other) =>
    compareDigits(one.epoch, other.epoch) ||
    compareLists(one.release, other.release, { fill: '0', compare: compareDigits }) ||
    comparePhase(one.pre, other.pre) ||
    comparePhase(one.post, other.post) ||
    comparePhase(one.dev, other.dev) ||
    compareLocal(one.local, other.local),
);
