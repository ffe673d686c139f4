import './charts.css';
import { numberText } from './data.ts';
import { sparkPath } from './spark-path.ts';

interface SparkProps {
  values: readonly number[];
  /** What is counted, for those who cannot see the line. */
  label: string;
  width?: number;
  height?: number;
}

/** A course at a glance, without axes. */
export function Spark({ values, label, width = 88, height = 22 }: SparkProps) {
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return (
    <svg
      className="chart-spark"
      role="img"
      aria-label={`${label}: from ${numberText(first)} to ${numberText(last)}`}
      width={width}
      height={height}
    >
      <path d={sparkPath(values, width, height)} />
    </svg>
  );
}
