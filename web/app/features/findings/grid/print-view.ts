import { formatNumber } from '#web/foundation/format/format-number.ts';
import type { ListItem } from './list-items.ts';

/** Nobody reads more on paper, and a browser takes long to lay it out. */
export const MAX_PRINTED_LINES = 1000;

/** The room for lines on upright paper. */
export const PAPER_WIDTH_PX = 700;

/** Which lines are on the paper: all that are loaded, in sight or not. */
export const printedIndexes = ({ count }: { count: number }): number[] =>
  Array.from({ length: Math.min(count, MAX_PRINTED_LINES) }, (_, index) => index);

interface Printed {
  total: number | undefined;
  q: string;
  isTree: boolean;
}

/** What is on the paper, of how many, and by which filter: on paper nobody can scroll or look into the filter bar. */
export function printCaption(items: readonly ListItem[], { total, q, isTree }: Printed): string {
  const kind = isTree ? 'group' : 'row';
  const count = items.slice(0, MAX_PRINTED_LINES).filter((item) => item.kind === kind).length;
  const isAll =
    items.length <= MAX_PRINTED_LINES && items.every((item) => item.kind === 'row' || item.kind === 'group');
  const [one, many] = isTree ? ['group of findings', 'groups of findings'] : ['finding', 'findings'];
  const by = q === '' ? '' : ` with ${q}`;
  const shown = `${formatNumber(count)} ${count === 1 ? one : many}${by}`;
  if (isAll) return `${shown}.`;
  if (isTree || total === undefined) return `The first ${shown}; there are more.`;
  return `The first ${formatNumber(count)} of ${formatNumber(total)} ${many}${by}.`;
}
