import { numberText } from '#web/parts/number-text.ts';
import { type BehindOf, type ChartData, countOf, totalOfBucket, totalOfSeries } from './data.ts';
import { LinkedNumber } from './linked-number.tsx';
import './charts.css';

interface ChartTableProps {
  title: string;
  data: ChartData;
  behindOf?: BehindOf | undefined;
  /** Sums make sense of counts, not of stocks. */
  hasSums?: boolean;
}

/** The same numbers as the chart, for reading and for copying. */
export function ChartTable({ title, data, behindOf, hasSums = false }: ChartTableProps) {
  const { series, buckets } = data;
  return (
    <section className="chart-table" tabIndex={0} aria-label={title}>
      <table>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Period (UTC)</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col" className="number">
                {label}
              </th>
            ))}
            {hasSums && (
              <th scope="col" className="number">
                All
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, index) => (
            <tr key={bucket.title}>
              <th scope="row">{bucket.title}</th>
              {series.map(({ key }) => (
                <td key={key} className="number">
                  <LinkedNumber value={countOf(bucket, key)} behind={behindOf?.(index, key)} />
                </td>
              ))}
              {hasSums && <td className="number">{numberText(totalOfBucket(bucket, series))}</td>}
            </tr>
          ))}
        </tbody>
        {hasSums && (
          <tfoot>
            <tr>
              <th scope="row">All</th>
              {series.map(({ key }) => (
                <td key={key} className="number">
                  {numberText(totalOfSeries(data, key))}
                </td>
              ))}
              <td className="number">
                {numberText(buckets.reduce((sum, bucket) => sum + totalOfBucket(bucket, series), 0))}
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
