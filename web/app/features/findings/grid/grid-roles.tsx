import { type ComponentProps, createElement } from 'react';

/** Roles of a grid that is made of plain boxes: its lines are placed one by one, which those of a table cannot be. */
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const GRID_CELL = { role: 'gridcell' } as const;
export const COLUMN_HEADER = { role: 'columnheader' } as const;

interface GridBoxProps extends ComponentProps<'div'> {
  isTree: boolean;
}

/** The grid itself, which has the focus and the keys for all of its lines. */
export const GridBox = ({ isTree, ...props }: GridBoxProps) =>
  createElement('div', { role: isTree ? 'treegrid' : 'grid', tabIndex: 0, ...props });

/** One line of the grid. */
export const LineBox = (props: ComponentProps<'div'>) => createElement('div', { role: 'row', ...props });
