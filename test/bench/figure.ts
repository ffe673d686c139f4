/** The target of a figure: for its ratio if it has one, else for its value. */
export type FigureTarget = { atLeast: number } | { atMost: number };

/** One result of a benchmark with its baseline and target. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  floor?: { name: string; value: number };
  ratio?: number;
  want?: FigureTarget;
}

export interface BenchOptions {
  /** Multiplies the amount of work: below 1 for a quick run. */
  scale: number;
  /** Logs progress, separately from the result. */
  say: (line: string) => void;
}

export type Bench = (options: BenchOptions) => Promise<Figure[]>;

/** Undefined for figures without a target. */
export function isReached({ value, ratio = value, want }: Figure): boolean | undefined {
  if (!want) return undefined;
  return 'atLeast' in want ? ratio >= want.atLeast : ratio <= want.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

const digits = (value: number) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
const shown = (value: number, unit: string) => `${value.toFixed(digits(value))} ${unit}`.trim();
const wanted = (want: FigureTarget) => ('atLeast' in want ? `≥ ${want.atLeast}` : `≤ ${want.atMost}`);

/** Formats the figures as a table. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const reached = isReached(figure);
    return [
      figure.name,
      shown(figure.value, figure.unit),
      figure.floor ? `${figure.floor.name} ${shown(figure.floor.value, figure.unit)}` : '',
      figure.ratio === undefined ? '' : figure.ratio.toFixed(2),
      figure.want ? wanted(figure.want) : '',
      reached === undefined ? '' : reached ? 'reached' : 'MISSED',
    ];
  });
  const all = [['figure', 'value', 'floor', 'ratio', 'target', 'verdict'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
