import { formatNumber } from '#web/foundation/format/format-number.ts';
import type { ListItem } from './list-items.ts';

/** Browsers take long to lay out more rows, and nobody reads them on paper. */
export const MAX_PRINTED_LINES = 1000;

/** The usable width of a portrait page. */
export const PAPER_WIDTH_PX = 700;

/** Prints all loaded rows, whether or not they are scrolled into view. */
export const printedIndexes = ({ count }: { count: number }): number[] =>
  Array.from({ length: Math.min(count, MAX_PRINTED_LINES) }, (_, index) => index);

interface PrintedList {
  total: number | undefined;
  q: string;
  isTree: boolean;
}

/** Says which findings were printed, of how many and by which filter, because the filter bar is not printed. */
export function printCaption(items: readonly ListItem[], { total, q, isTree }: PrintedList): string {
  const kind = isTree ? 'group' : 'row';
  const count = items.slice(0, MAX_PRINTED_LINES).filter((item) => item.kind === kind).length;
  const isAll =
    items.length <= MAX_PRINTED_LINES && items.every((item) => item.kind === 'row' || item.kind === 'group');
  const [singular, plural] = isTree ? ['group of findings', 'groups of findings'] : ['finding', 'findings'];
  const by = q === '' ? '' : ` with ${q}`;
  const shown = `${formatNumber(count)} ${count === 1 ? singular : plural}${by}`;
  if (isAll) return `${shown}.`;
  if (isTree || total === undefined) return `The first ${shown}; there are more.`;
  return `The first ${formatNumber(count)} of ${formatNumber(total)} ${plural}${by}.`;
}
