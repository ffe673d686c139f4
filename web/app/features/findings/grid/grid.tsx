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
  /** Moves to another line, keeps it in sight, and takes the focus. */
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
  isOld: boolean;
  /** Where a line leads when it is opened elsewhere. */
  hrefOf: (item: ListItem) => string;
  handle: Ref<GridHandle>;
  onOpen: (id: string) => void;
  onToggleGroup: (key: string) => void;
  onFollow: (q: string) => void;
  onSort: (sort: FindingSort) => void;
  onMore: () => void;
  /** Told when somebody points at a line. */
  onPeek?: (id: string) => void;
  /** Told when somebody goes to another line. */
  onMove?: (id: string) => void;
}

/** The list: of any length, with only the lines in sight on the page, and wholly by keyboard. */
export function Grid(props: GridProps) {
  const { items, list, isTree, onOpen, onToggleGroup, onMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isPrinting = useIsPrinting();
  const { columns, template, isTight, isCard } = useGridLayout(scroller, props.columns, isPrinting);
  const virtual = useVirtualLines(scroller, { items, isCard, isPrinting, onMore });
  // biome-ignore lint/correctness/useExhaustiveDependencies: ages are told as of when the lines came.
  const now = useMemo(() => new Date(), [items]);
  useActiveLine(scroller, list, items);
  const places = useMemo(() => new Map(items.map(({ id }, index) => [id, index])), [items]);
  const go = (step: number) => {
    list.move(step);
    virtual.scrollToIndex(places.get(list.active) ?? 0);
    scroller.current?.focus({ preventScroll: true });
    props.onMove?.(list.active);
  };
  useImperativeHandle(props.handle, () => ({ move: go, toTop: () => virtual.scrollToIndex(0) }));
  const minWidth = isCard ? 0 : minWidthOf(template);
  const activeItem = () => items[places.get(list.active) ?? -1];
  const shown = { columns, template, isCard, isTree, now, onOpen, ...(props.onPeek && { onPeek: props.onPeek }) };
  return (
    <GridBox
      ref={scroller}
      isTree={isTree}
      className="findings-grid"
      aria-label={props.label}
      aria-rowcount={props.total === undefined || isTree ? -1 : props.total + 1}
      aria-multiselectable="true"
      aria-busy={props.isOld}
      data-old={props.isOld}
      data-tight={isTight}
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
  item: ListItem & { kind: 'wait' | 'failed' };
  index: number;
  start: number;
  size: number;
}

/** The end of a list that has more to come, or whose next page could not be got. */
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
