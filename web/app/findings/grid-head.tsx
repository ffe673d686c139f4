import { ArrowDown, ArrowUp } from 'lucide-react';
import { HEAD, LINES, LineBox } from './boxes.tsx';
import { COLUMNS, type Column, leading, trailing } from './columns.ts';
import type { Sort } from './search.ts';

interface GridHeadProps {
  columns: readonly Column[];
  template: string;
  sort: Sort;
  isTree: boolean;
  isCard: boolean;
  onSort: (sort: Sort) => void;
}

/** What a click on a column sorts by, first and then; other columns cannot be sorted by. */
const SORTABLE: Partial<Record<Column, readonly [first: Sort, then: Sort]>> = {
  severity: ['severity', 'mildest'],
  age: ['newest', 'oldest'],
};

const ARIA: Record<Sort, 'ascending' | 'descending'> = {
  severity: 'descending',
  mildest: 'ascending',
  newest: 'ascending',
  oldest: 'descending',
};

function Head({ column, sort, onSort }: { column: Column } & Pick<GridHeadProps, 'sort' | 'onSort'>) {
  const sorts = SORTABLE[column];
  if (!sorts)
    return (
      <div {...HEAD} className="findings-cell" data-column={column}>
        {COLUMNS[column].label}
      </div>
    );
  const isSorted = sorts.includes(sort);
  const Arrow = ARIA[sort] === 'descending' ? ArrowDown : ArrowUp;
  return (
    <div {...HEAD} {...{ 'aria-sort': isSorted ? ARIA[sort] : ('none' as const) }} className="findings-cell">
      <button type="button" className="findings-sort" onClick={() => onSort(sort === sorts[0] ? sorts[1] : sorts[0])}>
        {COLUMNS[column].label}
        {isSorted && <Arrow size={12} aria-hidden="true" />}
      </button>
    </div>
  );
}

/** The names of the columns; cards and groups have none to see. */
export function GridHead({ columns, template, sort, isTree, isCard, onSort }: GridHeadProps) {
  const heads = (names: readonly Column[]) =>
    names.map((name) => <Head key={name} column={name} sort={sort} onSort={onSort} />);
  if (isTree || isCard)
    return (
      <div {...LINES} className="visually-hidden">
        <LineBox aria-rowindex={1}>
          <div {...HEAD}>{isTree ? 'Group' : 'Finding'}</div>
        </LineBox>
      </div>
    );
  return (
    <div {...LINES} className="findings-heads">
      <LineBox aria-rowindex={1} className="findings-head" style={{ gridTemplateColumns: template }}>
        <div {...HEAD} className="findings-cell">
          <span className="visually-hidden">Selected</span>
        </div>
        {heads(leading(columns))}
        <div {...HEAD} className="findings-cell">
          Finding
        </div>
        {heads(trailing(columns))}
      </LineBox>
    </div>
  );
}
