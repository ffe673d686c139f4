import { ArrowDown, ArrowUp } from 'lucide-react';
import type { FindingSort } from '../model/search.ts';
import { COLUMNS, type FindingColumn, leadingColumns, trailingColumns } from './columns.ts';
import { COLUMN_HEADER, LineBox, ROW_GROUP } from './grid-roles.tsx';

interface GridHeadProps {
  columns: readonly FindingColumn[];
  template: string;
  sort: FindingSort;
  isTree: boolean;
  isCard: boolean;
  onSort: (sort: FindingSort) => void;
}

/** The orders that clicks on a column header alternate between; other columns are not sortable. */
const SORTABLE: Partial<Record<FindingColumn, readonly [first: FindingSort, then: FindingSort]>> = {
  severity: ['severity', 'mildest'],
  age: ['newest', 'oldest'],
};

const ARIA: Record<FindingSort, 'ascending' | 'descending'> = {
  severity: 'descending',
  mildest: 'ascending',
  newest: 'ascending',
  oldest: 'descending',
};

function Head({ column, sort, onSort }: { column: FindingColumn } & Pick<GridHeadProps, 'sort' | 'onSort'>) {
  const sorts = SORTABLE[column];
  if (!sorts)
    return (
      <div {...COLUMN_HEADER} className="findings-cell" data-column={column}>
        {COLUMNS[column].label}
      </div>
    );
  const isSorted = sorts.includes(sort);
  const Arrow = ARIA[sort] === 'descending' ? ArrowDown : ArrowUp;
  return (
    <div {...COLUMN_HEADER} {...{ 'aria-sort': isSorted ? ARIA[sort] : ('none' as const) }} className="findings-cell">
      <button type="button" className="findings-sort" onClick={() => onSort(sort === sorts[0] ? sorts[1] : sorts[0])}>
        {COLUMNS[column].label}
        {isSorted && <Arrow size={12} aria-hidden="true" />}
      </button>
    </div>
  );
}

/** The column headers; for cards and groups they are visually hidden. */
export function GridHead({ columns, template, sort, isTree, isCard, onSort }: GridHeadProps) {
  const heads = (names: readonly FindingColumn[]) =>
    names.map((name) => <Head key={name} column={name} sort={sort} onSort={onSort} />);
  if (isTree || isCard)
    return (
      <div {...ROW_GROUP} className="visually-hidden">
        <LineBox aria-rowindex={1}>
          <div {...COLUMN_HEADER}>{isTree ? 'Group' : 'Finding'}</div>
        </LineBox>
      </div>
    );
  return (
    <div {...ROW_GROUP} className="findings-heads">
      <LineBox aria-rowindex={1} className="findings-head" style={{ gridTemplateColumns: template }}>
        <div {...COLUMN_HEADER} className="findings-cell">
          <span className="visually-hidden">Selected</span>
        </div>
        {heads(leadingColumns(columns))}
        <div {...COLUMN_HEADER} className="findings-cell">
          Finding
        </div>
        {heads(trailingColumns(columns))}
      </LineBox>
    </div>
  );
}
