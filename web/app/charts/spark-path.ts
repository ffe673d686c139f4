import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

/** The line of a small chart without axes. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [1, width - 1]);
  const y = scaleLinear([0, Math.max(1, max(values) ?? 1)], [height - 1, 1]);
  return (
    line<number>()
      .x((_, index) => x(index))
      .y((value) => y(value))([...values]) ?? ''
  );
}
