import { memo } from 'react';
import { SeverityChip, severityOf } from '#web/parts/severity.tsx';
import { CELL, LineBox } from './boxes.tsx';
import { Cell, useShownState } from './cells.tsx';
import { type Column, leading, trailing } from './columns.ts';
import { idLabel } from './kinds.ts';
import type { ListState } from './list-state.ts';
import { fileOf, type Row } from './row.ts';
import { useLine } from './use-list.ts';

export interface LineProps {
  list: ListState;
  /** Where the line stands among all; the first has 0. */
  index: number;
  /** Its place, where lines do not simply follow one another. */
  start?: number;
  size?: number;
}

interface GridRowProps extends LineProps {
  row: Row;
  level: 1 | 2;
  columns: readonly Column[];
  template: string;
  isCard: boolean;
  isTree: boolean;
  now: Date;
  href: string;
  onOpen: (id: string) => void;
  onPeek?: (id: string) => void;
}

/** The position and the state of a line, the same for all kinds of lines. */
export const lineAttributes = ({ index, start, size }: LineProps) => ({
  'aria-rowindex': index + 2,
  style: start === undefined ? {} : { top: start, height: size },
});

function Tick({ list, row, isSelected }: { list: ListState; row: Row; isSelected: boolean }) {
  return (
    <div {...CELL} className="findings-cell findings-tick">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Select ${idLabel(row.id)}`}
        checked={isSelected}
        onChange={() => {
          list.activate(row.id);
          list.toggle(row.id);
        }}
      />
    </div>
  );
}

function Card({ row, now }: { row: Row; now: Date }) {
  const { state, problem } = useShownState(row);
  return (
    <div {...CELL} className="findings-cell findings-card-facts">
      <SeverityChip severity={severityOf(row.severity)} />
      {(state !== 'open' || problem !== '') && <Cell column="state" row={row} now={now} />}
      <span className="findings-card-place dimmed">
        {[row.project, fileOf(row)].filter((text) => text !== '').join(' · ')}
      </span>
      <Cell column="age" row={row} now={now} />
    </div>
  );
}

/** A finding: one line of cells, or a card of two lines where there is little room. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, level, list, columns, template, isCard, isTree, now, href, onOpen } = props;
  const { isActive, isSelected } = useLine(list, row.id);
  const attributes = lineAttributes(props);
  const cells = (names: readonly Column[]) =>
    names.map((name) => (
      <div key={name} {...CELL} className="findings-cell" data-column={name}>
        <Cell column={name} row={row} now={now} />
      </div>
    ));
  return (
    <LineBox
      {...attributes}
      id={`finding-${row.id}`}
      className={isCard ? 'findings-line findings-card' : 'findings-line'}
      style={{ ...attributes.style, ...(isCard ? {} : { gridTemplateColumns: template }) }}
      aria-selected={isSelected}
      {...(isTree ? { 'aria-level': level } : {})}
      data-active={isActive}
      onClick={() => list.activate(row.id)}
    >
      <Tick list={list} row={row} isSelected={isSelected} />
      {!isCard && cells(leading(columns))}
      <div {...CELL} className="findings-cell findings-title">
        <a
          href={href}
          tabIndex={-1}
          title={row.title}
          onPointerEnter={() => props.onPeek?.(row.id)}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onOpen(row.id);
          }}
        >
          {row.title}
        </a>
      </div>
      {isCard ? <Card row={row} now={now} /> : cells(trailing(columns))}
    </LineBox>
  );
});
