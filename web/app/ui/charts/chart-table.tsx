import {
  bucketTotal,
  bucketValue,
  type ChartData,
  chartTotal,
  type FindingsBehindMark,
  type FindingsBehindTotal,
  seriesTotal,
} from './data/chart-data.ts';
import { LinkedNumber } from './linked-number.tsx';
import './charts.css';

interface ChartTableProps {
  title: string;
  data: ChartData;
  behindOf?: FindingsBehindMark | undefined;
  /** Adds totals, which make sense for counts but not for levels. */
  behindSum?: FindingsBehindTotal;
}

/** The data of a chart as a table. */
export function ChartTable({ title, data, behindOf, behindSum }: ChartTableProps) {
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
            {behindSum && (
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
                  <LinkedNumber value={bucketValue(bucket, key)} behind={behindOf?.(index, key)} />
                </td>
              ))}
              {behindSum && (
                <td className="number">
                  <LinkedNumber value={bucketTotal(bucket, series)} behind={behindSum({ bucket: index })} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {behindSum && (
          <tfoot>
            <tr>
              <th scope="row">All</th>
              {series.map(({ key }) => (
                <td key={key} className="number">
                  <LinkedNumber value={seriesTotal(data, key)} behind={behindSum({ series: key })} />
                </td>
              ))}
              <td className="number">
                <LinkedNumber value={chartTotal(data)} behind={behindSum({})} />
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
