import { type ComponentProps, createElement } from 'react';

/** ARIA roles for a grid of `div`s: virtualized rows are positioned absolutely, which table rows cannot be. */
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const GRID_CELL = { role: 'gridcell' } as const;
export const COLUMN_HEADER = { role: 'columnheader' } as const;

interface GridBoxProps extends ComponentProps<'div'> {
  isTree: boolean;
}

/** The grid element, which has the focus and handles the keys of all rows. */
export const GridBox = ({ isTree, ...props }: GridBoxProps) =>
  createElement('div', { role: isTree ? 'treegrid' : 'grid', tabIndex: 0, ...props });

/** A row of the grid. */
export const LineBox = (props: ComponentProps<'div'>) => createElement('div', { role: 'row', ...props });
