import { type ChartData, countOf } from './data.ts';

/** A cell that no spreadsheet takes for a formula. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** The numbers of a chart, one row for each bucket. */
export const csvOfChart = ({ series, buckets }: ChartData, ends: readonly { since: string; until: string }[]): string =>
  csvOf([
    ['since', 'until', ...series.map(({ key }) => key)],
    ...buckets.map((bucket, index) => [
      ends[index]?.since ?? '',
      ends[index]?.until ?? '',
      ...series.map(({ key }) => countOf(bucket, key)),
    ]),
  ]);
