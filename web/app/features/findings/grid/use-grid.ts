import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { COMPACT_WIDTH_PX, type FindingColumn, gridTemplateOf, visibleColumns } from './columns.ts';
import type { ListItem } from './list-items.ts';
import { PAPER_WIDTH_PX, printedIndexes } from './print-view.ts';
import type { SelectionModel } from './selection-model.ts';

const LINE_PX = 40;
const CARD_PX = 66;
const PROBLEM_PX = 220;
/** Below this width a line becomes a card. */
const NARROW_PX = 640;
const STEP_PX = 20;
const ENOUGH = 0.8;

/** The width of the list in steps, so that it is not drawn anew for each pixel. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(NARROW_PX);
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return;
    const measure = () => setWidth(Math.floor(node.clientWidth / STEP_PX) * STEP_PX);
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** How lines are drawn at the width that there is. */
export function useGridLayout(
  element: RefObject<HTMLElement | null>,
  wanted: readonly FindingColumn[],
  isPrinting: boolean,
) {
  const screen = useWidth(element);
  const width = isPrinting ? PAPER_WIDTH_PX : screen;
  const isTight = width < COMPACT_WIDTH_PX;
  const columns = useMemo(() => visibleColumns(wanted, width), [wanted, width]);
  const template = useMemo(() => gridTemplateOf(columns, isTight), [columns, isTight]);
  return { columns, template, isTight, isCard: width < NARROW_PX };
}

interface Scrolled {
  items: readonly ListItem[];
  isCard: boolean;
  isPrinting: boolean;
  onMore: () => void;
}

/** The lines in sight, or for paper all of them; asks for more before the end is reached. */
export function useVirtualLines(
  element: RefObject<HTMLElement | null>,
  { items, isCard, isPrinting, onMore }: Scrolled,
) {
  const sizeOf = (item: ListItem | undefined) =>
    item?.kind === 'failed' ? PROBLEM_PX : item?.kind === 'group' || !isCard ? LINE_PX : CARD_PX;
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => element.current,
    estimateSize: (index) => sizeOf(items[index]),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 4,
    rangeExtractor: isPrinting ? printedIndexes : defaultRangeExtractor,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are measured anew when lines become cards.
  useEffect(() => virtual.measure(), [isCard, items]);
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (!isPrinting && items.length > 0 && last >= items.length * ENOUGH - 1) onMore();
  }, [isPrinting, last, items.length, onMore]);
  return virtual;
}

/** Tells the grid's element which line one is on, and the list which lines there are. */
export function useActiveLine(
  element: RefObject<HTMLElement | null>,
  list: SelectionModel,
  items: readonly ListItem[],
): void {
  useLayoutEffect(() => {
    list.setOrder(items.filter(({ kind }) => kind === 'row' || kind === 'group').map(({ id }) => id));
  }, [list, items]);
  useEffect(
    () =>
      list.subscribe(() => {
        // React would paint the whole list for this one attribute.
        element.current?.setAttribute('aria-activedescendant', `finding-${list.active}`);
      }),
    [element, list],
  );
}

const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface GridKeys {
  list: SelectionModel;
  /** The line that one is on. */
  activeItem: () => ListItem | undefined;
  go: (step: number) => void;
  onOpen: (id: string) => void;
  onToggleGroup: (key: string) => void;
}

/** The keys that a grid always has, also for those who have switched single letters off. */
export function gridKeys({ list, activeItem, go, onOpen, onToggleGroup }: GridKeys) {
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
