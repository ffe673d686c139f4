import { bucketValue, type ChartData } from './chart-data.ts';

/** Escapes a cell so that no spreadsheet interprets it as a formula. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** The data of a chart as CSV, one row per bucket. */
export const chartCsv = ({ series, buckets }: ChartData, ends: readonly { since: string; until: string }[]): string =>
  toCsv([
    ['since', 'until', ...series.map(({ key }) => key)],
    ...buckets.map((bucket, index) => [
      ends[index]?.since ?? '',
      ends[index]?.until ?? '',
      ...series.map(({ key }) => bucketValue(bucket, key)),
    ]),
  ]);
