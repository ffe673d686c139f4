import type { ChartData } from './data/chart-data.ts';
import { Swatch } from './svg/textures.tsx';

interface LegendProps {
  scope: string;
  data: ChartData;
  net?: string | undefined;
  /** Wide charts name their series beside them; what no label tells is still said here. */
  isShown: boolean;
  /** Whether what is not whole is hatched in it. */
  isHatched: boolean;
}

/** What the fills stand for. */
export function ChartLegend({ scope, data, net, isShown, isHatched }: LegendProps) {
  const hasPartial = isHatched && data.buckets.some(({ isPartial }) => isPartial);
  if (!isShown && !hasPartial) return null;
  return (
    <ul className="chart-legend">
      {isShown &&
        data.series.map((series) => (
          <li key={series.key}>
            <Swatch scope={`${scope}-${series.key}`} series={series} /> {series.label}
          </li>
        ))}
      {net !== undefined && (
        <li>
          <svg className="chart-swatch chart-net" width={18} height={14} aria-hidden="true">
            <polyline points="0,7 18,7" />
            <circle cx={9} cy={7} r={2.5} />
          </svg>{' '}
          {net}
        </li>
      )}
      {hasPartial && <li className="dimmed">Hatched: not a whole bucket, or not over yet</li>}
    </ul>
  );
}
