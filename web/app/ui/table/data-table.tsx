import type { ReactNode } from 'react';
import './data-table.css';

export interface TableColumn<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Contains the row actions; its name is visually hidden. */
  isActions?: boolean;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A data table; on small screens each row becomes a card with labelled values. */
export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <div className="data-table-frame">
      <table className="data-table">
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isActions }) => (
              <th key={name} scope="col">
                {isActions ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isActions }) => (
                <td
                  key={name}
                  data-label={isActions ? undefined : name}
                  className={isActions ? 'data-actions' : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
