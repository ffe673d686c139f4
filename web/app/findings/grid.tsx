import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ProblemView } from '#web/parts/states.tsx';
import { CELL, GridBox, LINES, LineBox } from './boxes.tsx';
import { type Column, fitting, TIGHT_PX, templateOf } from './columns.ts';
import { GridHead } from './grid-head.tsx';
import './grid.css';
import { GridRow } from './grid-row.tsx';
import { GroupRow } from './group-row.tsx';
import type { Item } from './items.ts';
import type { ListState } from './list-state.ts';
import type { Sort } from './search.ts';

const LINE_PX = 40;
const CARD_PX = 66;
const PROBLEM_PX = 220;
/** Below this width a line becomes a card. */
const NARROW_PX = 640;
const STEP_PX = 20;
const ENOUGH = 0.8;

export interface GridHandle {
  /** Moves to another line, keeps it in sight, and takes the focus. */
  move: (step: number) => void;
  focus: () => void;
  toTop: () => void;
}

interface GridProps {
  label: string;
  items: readonly Item[];
  list: ListState;
  columns: readonly Column[];
  sort: Sort;
  total: number | undefined;
  isTree: boolean;
  isOld: boolean;
  hrefOf: (id: string) => string;
  handle: React.Ref<GridHandle>;
  onOpen: (id: string) => void;
  onToggleGroup: (key: string) => void;
  onFollow: (q: string) => void;
  onSort: (sort: Sort) => void;
  onMore: () => void;
  /** Told when somebody points at a line. */
  onPeek?: (id: string) => void;
  /** Told when somebody goes to another line. */
  onMove?: (id: string) => void;
}

/** The width of the list in steps, so that it is not drawn anew for each pixel. */
function useWidth(element: React.RefObject<HTMLElement | null>): number {
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

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/** The list: of any length, with only the lines in sight on the page, and wholly by keyboard. */
export function Grid(props: GridProps) {
  const { items, list, isTree, hrefOf, onOpen, onToggleGroup, onFollow, onMore, onMove } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const isCard = width < NARROW_PX;
  const columns = useMemo(() => fitting(props.columns, width), [props.columns, width]);
  const lineSize = isCard ? CARD_PX : LINE_PX;
  const isTight = width < TIGHT_PX;
  const template = useMemo(() => templateOf(columns, isTight), [columns, isTight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: ages are told as of when the lines came.
  const now = useMemo(() => new Date(), [items]);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      items[index]?.kind === 'failed' ? PROBLEM_PX : items[index]?.kind === 'group' ? LINE_PX : lineSize,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 8,
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    list.setOrder(items.filter(({ kind }) => kind === 'row' || kind === 'group').map(({ id }) => id));
  }, [list, items]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are measured anew when lines become cards.
  useEffect(() => virtual.measure(), [isCard, items]);
  useEffect(
    () =>
      list.subscribe(() => {
        // React would paint the whole list for this one attribute.
        scroller.current?.setAttribute('aria-activedescendant', `finding-${list.active}`);
      }),
    [list],
  );
  const lines = virtual.getVirtualItems();
  const last = lines.at(-1)?.index ?? 0;
  useEffect(() => {
    if (items.length > 0 && last >= items.length * ENOUGH - 1) onMore();
  }, [last, items.length, onMore]);

  const places = useMemo(() => new Map(items.map(({ id }, index) => [id, index])), [items]);
  const go = (step: number) => {
    list.move(step);
    virtual.scrollToIndex(places.get(list.active) ?? 0);
    scroller.current?.focus({ preventScroll: true });
    onMove?.(list.active);
  };
  useImperativeHandle(props.handle, () => ({
    move: go,
    focus: () => scroller.current?.focus({ preventScroll: true }),
    toTop: () => virtual.scrollToIndex(0),
  }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const active = items[places.get(list.active) ?? -1];
    if (step !== undefined) go(step);
    else if (event.key === 'Home') go(-items.length);
    else if (event.key === 'End') go(items.length);
    else if (event.key === 'Enter' && active?.kind === 'row') onOpen(active.id);
    else if (event.key === 'Enter' && active?.kind === 'group') onToggleGroup(active.group.key);
    else if (event.key === ' ' && active?.kind === 'row') list.toggle(active.id);
    else if (event.key === 'ArrowRight' && active?.kind === 'group' && !active.isOpen) onToggleGroup(active.group.key);
    else if (event.key === 'ArrowLeft' && active?.kind === 'group' && active.isOpen) onToggleGroup(active.group.key);
    else return;
    event.preventDefault();
  };
  const rowCount = props.total === undefined || isTree ? -1 : props.total + 1;
  return (
    <GridBox
      ref={scroller}
      isTree={isTree}
      className="findings-grid"
      aria-label={props.label}
      aria-rowcount={rowCount}
      aria-multiselectable="true"
      aria-busy={props.isOld}
      data-old={props.isOld}
      data-tight={isTight}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.target === scroller.current && list.active === '') list.move(1);
      }}
    >
      <GridHead
        columns={columns}
        template={template}
        sort={props.sort}
        isTree={isTree}
        isCard={isCard}
        onSort={props.onSort}
      />
      <div className="findings-lines" {...LINES} style={{ height: virtual.getTotalSize() }}>
        {lines.map(({ index, start, size }) => {
          const item = items[index];
          if (!item) return null;
          const line = { list, index, start, size };
          if (item.kind === 'row')
            return (
              <GridRow
                key={item.id}
                {...line}
                {...{ row: item.row, level: item.level, columns, template, isCard, isTree, now, onOpen }}
                {...(props.onPeek ? { onPeek: props.onPeek } : {})}
                href={hrefOf(item.id)}
              />
            );
          if (item.kind === 'group')
            return (
              <GroupRow
                key={item.id}
                {...line}
                {...{ id: item.id, group: item.group, isOpen: item.isOpen, onToggle: onToggleGroup, onFollow }}
                href={hrefOf(item.id)}
              />
            );
          return (
            <LineBox
              key={item.id}
              className="findings-line findings-tail"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              <div {...CELL} className="dimmed">
                {item.kind === 'failed' ? <ProblemView error={item.error} onRetry={item.retry} /> : 'Loading more…'}
              </div>
            </LineBox>
          );
        })}
      </div>
    </GridBox>
  );
}
