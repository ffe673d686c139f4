import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { COMPACT_WIDTH_PX, type FindingColumn, gridTemplateOf, isTwoLine, visibleColumns } from './columns.ts';
import type { ListItem } from './list-items.ts';
import { PAPER_WIDTH_PX, printedIndexes } from './print-view.ts';
import type { SelectionModel } from './selection-model.ts';

const LINE_PX = 40;
const TWO_LINE_PX = 54;
const CARD_PX = 66;
const PROBLEM_PX = 220;
/** Below this width a row becomes a card. */
const NARROW_PX = 640;
const WIDTH_STEP_PX = 20;
const LOAD_MORE_AT = 0.8;

/** The width of the list, rounded to steps so that it does not render for every pixel. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(NARROW_PX);
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return;
    const measure = () => setWidth(Math.floor(node.clientWidth / WIDTH_STEP_PX) * WIDTH_STEP_PX);
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** The layout of rows at the available width. */
export function useGridLayout(
  element: RefObject<HTMLElement | null>,
  chosen: readonly FindingColumn[],
  isPrinting: boolean,
) {
  const screen = useWidth(element);
  const width = isPrinting ? PAPER_WIDTH_PX : screen;
  const isCompact = width < COMPACT_WIDTH_PX;
  const columns = useMemo(() => visibleColumns(chosen, width), [chosen, width]);
  const template = useMemo(() => gridTemplateOf(columns, isCompact), [columns, isCompact]);
  const hasPlaceLine = width >= NARROW_PX && isTwoLine(chosen, width);
  return { columns, template, isCompact, hasPlaceLine, isCard: width < NARROW_PX };
}

interface VirtualLines {
  items: readonly ListItem[];
  isCard: boolean;
  hasPlaceLine: boolean;
  isPrinting: boolean;
  onMore: () => void;
}

/** Virtualizes the rows, or renders all of them for print; loads more before the end is reached. */
export function useVirtualLines(
  element: RefObject<HTMLElement | null>,
  { items, isCard, hasPlaceLine, isPrinting, onMore }: VirtualLines,
) {
  const rowPx = isCard ? CARD_PX : hasPlaceLine ? TWO_LINE_PX : LINE_PX;
  const sizeOf = (item: ListItem | undefined) =>
    item?.kind === 'failed' ? PROBLEM_PX : item?.kind === 'group' ? LINE_PX : rowPx;
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => element.current,
    estimateSize: (index) => sizeOf(items[index]),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 4,
    rangeExtractor: isPrinting ? printedIndexes : defaultRangeExtractor,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: row heights change with the layout.
  useEffect(() => virtual.measure(), [rowPx, items]);
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (!isPrinting && items.length > 0 && last >= items.length * LOAD_MORE_AT - 1) onMore();
  }, [isPrinting, last, items.length, onMore]);
  return virtual;
}

/** Names the active row to assistive technology, unless the list does not have it any more. */
function markActive(element: HTMLElement | null, list: SelectionModel): void {
  // Setting it through React would render the whole list for one attribute.
  if (list.activeIndex >= 0) element?.setAttribute('aria-activedescendant', `finding-${list.active}`);
  else element?.removeAttribute('aria-activedescendant');
}

/** Keeps the order of rows in the selection model, and `aria-activedescendant` on the grid. */
export function useActiveLine(
  element: RefObject<HTMLElement | null>,
  list: SelectionModel,
  items: readonly ListItem[],
): void {
  useLayoutEffect(() => {
    list.setOrder(items.filter(({ kind }) => kind === 'row' || kind === 'group').map(({ id }) => id));
    markActive(element.current, list);
  }, [element, list, items]);
  useEffect(() => list.subscribe(() => markActive(element.current, list)), [element, list]);
}

const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface GridKeysInput {
  list: SelectionModel;
  /** The row under the cursor. */
  activeItem: () => ListItem | undefined;
  go: (step: number) => void;
  onOpen: (id: string) => void;
  onToggleGroup: (key: string) => void;
}

/** The standard keys of a grid, which work even when single-letter shortcuts are switched off. */
export function gridKeys({ list, activeItem, go, onOpen, onToggleGroup }: GridKeysInput) {
  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const step = STEPS[key];
    const item = activeItem();
    const isToggle = item?.kind === 'group' && (key === 'Enter' || key === (item.isOpen ? 'ArrowLeft' : 'ArrowRight'));
    if (step !== undefined) go(step);
    else if (isToggle) onToggleGroup(item.group.key);
    else if (key === 'Enter' && item?.kind === 'row') onOpen(item.id);
    else if (key === ' ' && item?.kind === 'row') list.toggle(item.id);
    else return;
    event.preventDefault();
  };
}
