import { memo } from 'react';
import { TypeIcon } from '#web/ui/badges/finding-chips.tsx';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { idLabel } from '../model/finding-id.ts';
import { type FindingRow, fileText, locationText } from '../model/finding-row.ts';
import { Cell, useShownState } from './cells.tsx';
import { type FindingColumn, leadingColumns, trailingColumns } from './columns.ts';
import { GRID_CELL, LineBox } from './grid-roles.tsx';
import type { SelectionModel } from './selection-model.ts';
import { useLineState } from './use-selection.ts';

export interface GridLineProps {
  list: SelectionModel;
  /** The index among all rows, from 0. */
  index: number;
  /** The offset in pixels; undefined in print, where rows follow in the document flow. */
  start?: number;
  size?: number;
}

interface GridRowProps extends GridLineProps {
  row: FindingRow;
  level: 1 | 2;
  columns: readonly FindingColumn[];
  template: string;
  isCard: boolean;
  /** Whether the place stands below the title. */
  hasPlaceLine: boolean;
  isTree: boolean;
  now: Date;
  href: string;
  onOpen: (id: string) => void;
  onPointAt?: (id: string) => void;
}

/** The attributes that findings and groups share. */
export const lineAttributes = ({ index, start, size }: GridLineProps) => ({
  'aria-rowindex': index + 2,
  style: start === undefined ? {} : { top: start, height: size },
});

function SelectCheckbox({ list, row, isSelected }: { list: SelectionModel; row: FindingRow; isSelected: boolean }) {
  return (
    <div {...GRID_CELL} className="findings-cell findings-tick">
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

function Card({ row, now }: { row: FindingRow; now: Date }) {
  const { state, problem } = useShownState(row);
  return (
    <div {...GRID_CELL} className="findings-cell findings-card-facts">
      <SeverityChip severity={severityOf(row.severity)} />
      {(state !== 'open' || problem !== '') && <Cell column="state" row={row} now={now} />}
      <span className="findings-card-place dimmed">
        {[row.project, fileText(row)].filter((text) => text !== '').join(' · ')}
      </span>
      <Cell column="age" row={row} now={now} />
    </div>
  );
}

/** Type, project and place of a finding; where there is no room, the folders are cut, never the file. */
function Place({ row }: { row: FindingRow }) {
  const location = locationText(row);
  const file = fileText(row);
  const folders = location.endsWith(file) ? location.slice(0, location.length - file.length) : '';
  return (
    <span className="findings-place" title={`${row.project} ${location}`}>
      <TypeIcon type={row.type} />
      <span className="findings-place-project">{row.project}</span>
      {location !== '' && (
        <span className="findings-place-path mono">
          <span className="findings-place-folders">{folders}</span>
          <span>{folders === '' ? location : file}</span>
        </span>
      )}
    </span>
  );
}

/** A finding as a row of cells, or as a card on narrow screens. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, level, list, columns, template, isCard, hasPlaceLine, isTree, now, href, onOpen } = props;
  const { isActive, isSelected } = useLineState(list, row.id);
  const attributes = lineAttributes(props);
  const cells = (names: readonly FindingColumn[]) =>
    names.map((name) => (
      <div key={name} {...GRID_CELL} className="findings-cell" data-column={name}>
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
      <SelectCheckbox list={list} row={row} isSelected={isSelected} />
      {!isCard && cells(leadingColumns(columns))}
      <div {...GRID_CELL} className="findings-cell findings-title">
        <a
          href={href}
          tabIndex={-1}
          title={row.title}
          onPointerEnter={() => props.onPointAt?.(row.id)}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onOpen(row.id);
          }}
        >
          {row.title}
        </a>
        {hasPlaceLine && <Place row={row} />}
      </div>
      {isCard ? <Card row={row} now={now} /> : cells(trailingColumns(columns))}
    </LineBox>
  );
});
