import { compareDigits, compareLists, createVersionOrder, isDigits } from './version-order.ts';

/** Stability in ascending order; a version without a stage comes before its patches. */
const STAGES: Record<string, number> = { dev: 0, alpha: 1, a: 1, beta: 2, b: 2, rc: 3, p: 6, pl: 6, patch: 6 };
const END = 4;
const NUMBER = 5;

interface ComposerVersion {
  release: string[];
  /** Stability words and their numbers. */
  stages: string[];
}

function parse(text: string): ComposerVersion | undefined {
  const bare = text.toLowerCase().replace(/^v/, '').replace(/\+.*$/, '');
  const all = bare.match(/\d+|[a-z]+|[-._]|./g) ?? [];
  const parts = all.filter((part) => !/^[-._]$/.test(part));
  const isKnown = parts.every((part) => isDigits(part) || part === 'stable' || Object.hasOwn(STAGES, part));
  if (!isKnown || !isDigits(all[0] ?? '')) return undefined;
  const firstWord = parts.findIndex((part) => !isDigits(part));
  if (firstWord === -1) return { release: parts, stages: [] };
  const stages = parts.slice(firstWord).filter((part) => part !== 'stable');
  return { release: parts.slice(0, firstWord), stages };
}

const rankOf = (part: string | undefined) => {
  if (part === undefined) return END;
  return isDigits(part) ? NUMBER : (STAGES[part] ?? END);
};

function compareStages(one: string | undefined, other: string | undefined): number {
  const order = rankOf(one) - rankOf(other);
  if (order !== 0 || one === undefined || other === undefined) return order;
  return isDigits(one) ? compareDigits(one, other) : 0;
}

/** Versions of Composer packages: numbers first, then stability. */
export const composer = createVersionOrder(
  parse,
  (one, other) =>
    compareLists(one.release, other.release, { fill: '0', compare: compareDigits }) ||
    compareLists<string | undefined>(one.stages, other.stages, { fill: undefined, compare: compareStages }),
);
