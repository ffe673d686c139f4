import { type Ref, useImperativeHandle, useMemo, useRef } from 'react';
import { useIsPrinting } from '#web/ui/page/use-is-printing.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { type FindingColumn, minWidthOf } from './columns.ts';
import { GRID_CELL, GridBox, LineBox, ROW_GROUP } from './grid-roles.tsx';
import './grid.css';
import type { FindingSort } from '../model/search.ts';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import { GroupRow } from './group-row.tsx';
import type { ListItem } from './list-items.ts';
import type { SelectionModel } from './selection-model.ts';
import { gridKeys, useActiveLine, useGridLayout, useVirtualLines } from './use-grid.ts';

export interface GridHandle {
  /** Moves the cursor by some rows, scrolls it into view and focuses the grid. */
  move: (step: number) => void;
  toTop: () => void;
}

interface GridProps {
  label: string;
  items: readonly ListItem[];
  list: SelectionModel;
  columns: readonly FindingColumn[];
  sort: FindingSort;
  total: number | undefined;
  isTree: boolean;
  isStale: boolean;
  /** The URL of a row, for opening it in another tab. */
  hrefOf: (item: ListItem) => string;
  handle: Ref<GridHandle>;
  onOpen: (id: string) => void;
  onToggleGroup: (key: string) => void;
  onFollow: (q: string) => void;
  onSort: (sort: FindingSort) => void;
  onMore: () => void;
  /** Called when the pointer enters a row. */
  onPointAt?: (id: string) => void;
  /** Called when the cursor moves to another row. */
  onMove?: (id: string) => void;
}

/** A virtualized grid of any length that is fully usable by keyboard. */
export function Grid(props: GridProps) {
  const { items, list, isTree, onOpen, onToggleGroup, onMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isPrinting = useIsPrinting();
  const { columns, template, isCompact, hasPlaceLine, isCard } = useGridLayout(scroller, props.columns, isPrinting);
  const virtual = useVirtualLines(scroller, { items, isCard, hasPlaceLine, isPrinting, onMore });
  // biome-ignore lint/correctness/useExhaustiveDependencies: ages are relative to the time the rows were loaded.
  const now = useMemo(() => new Date(), [items]);
  useActiveLine(scroller, list, items);
  const indexes = useMemo(() => new Map(items.map(({ id }, index) => [id, index])), [items]);
  const go = (step: number) => {
    list.move(step);
    virtual.scrollToIndex(indexes.get(list.active) ?? 0);
    scroller.current?.focus({ preventScroll: true });
    props.onMove?.(list.active);
  };
  useImperativeHandle(props.handle, () => ({ move: go, toTop: () => virtual.scrollToIndex(0) }));
  const minWidth = isCard ? 0 : minWidthOf(template);
  const activeItem = () => items[indexes.get(list.active) ?? -1];
  const shown = {
    columns,
    template,
    isCard,
    hasPlaceLine,
    isTree,
    now,
    onOpen,
    ...(props.onPointAt && { onPointAt: props.onPointAt }),
  };
  return (
    <GridBox
      ref={scroller}
      isTree={isTree}
      className="findings-grid"
      aria-label={props.label}
      aria-rowcount={props.total === undefined || isTree ? -1 : props.total + 1}
      aria-multiselectable="true"
      aria-busy={props.isStale}
      data-stale={props.isStale}
      data-compact={isCompact}
      onKeyDown={gridKeys({ list, activeItem, go, onOpen, onToggleGroup })}
      onFocus={(event) => {
        if (event.target === event.currentTarget && list.active === '') list.move(1);
      }}
    >
      <GridHead {...{ columns, template, isTree, isCard, sort: props.sort, onSort: props.onSort }} />
      <div
        className="findings-lines"
        {...ROW_GROUP}
        style={isPrinting ? {} : { height: virtual.getTotalSize(), minWidth }}
      >
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const item = items[index];
          if (!item) return null;
          const line = { list, index, ...(isPrinting ? {} : { start, size }) };
          if (item.kind === 'row')
            return <GridRow key={item.id} {...line} {...shown} {...pick(item)} href={props.hrefOf(item)} />;
          if (item.kind === 'group')
            return (
              <GroupRow
                key={item.id}
                {...line}
                {...{ id: item.id, group: item.group, isOpen: item.isOpen, href: props.hrefOf(item) }}
                onToggle={onToggleGroup}
                onFollow={props.onFollow}
              />
            );
          return <Tail key={item.id} item={item} {...{ index, start, size }} />;
        })}
      </div>
    </GridBox>
  );
}

const pick = ({ row, level }: ListItem & { kind: 'row' }) => ({ row, level });

interface TailProps {
  item: ListItem & { kind: 'loading' | 'failed' };
  index: number;
  start: number;
  size: number;
}

/** The last row of a list whose next page is loading or failed to load. */
function Tail({ item, index, start, size }: TailProps) {
  return (
    <LineBox
      className="findings-line findings-tail no-print"
      aria-rowindex={index + 2}
      style={{ top: start, height: size }}
    >
      <div {...GRID_CELL} className="dimmed">
        {item.kind === 'failed' ? <ProblemView error={item.error} onRetry={item.retry} /> : 'Loading more…'}
      </div>
    </LineBox>
  );
}
