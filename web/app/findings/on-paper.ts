import { numberText } from '#web/parts/number-text.ts';
import type { Item } from './items.ts';

/** Nobody reads more on paper, and a browser takes long to lay it out. */
export const MOST_PRINTED = 1000;

/** The room for lines on upright paper. */
export const PAPER_PX = 700;

/** Which lines are on the paper: all that are loaded, in sight or not. */
export const printedLines = ({ count }: { count: number }): number[] =>
  Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, index) => index);

interface Printed {
  total: number | undefined;
  q: string;
  isTree: boolean;
}

/** What is on the paper, of how many, and by which filter: on paper nobody can scroll or look into the filter bar. */
export function paperText(items: readonly Item[], { total, q, isTree }: Printed): string {
  const kind = isTree ? 'group' : 'row';
  const count = items.slice(0, MOST_PRINTED).filter((item) => item.kind === kind).length;
  const isAll = items.length <= MOST_PRINTED && items.every((item) => item.kind === 'row' || item.kind === 'group');
  const [one, many] = isTree ? ['group of findings', 'groups of findings'] : ['finding', 'findings'];
  const by = q === '' ? '' : ` with ${q}`;
  const shown = `${numberText(count)} ${count === 1 ? one : many}${by}`;
  if (isAll) return `${shown}.`;
  if (isTree || total === undefined) return `The first ${shown}; there are more.`;
  return `The first ${numberText(count)} of ${numberText(total)} ${many}${by}.`;
}
