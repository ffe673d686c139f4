import type { ChartData } from './data/chart-data.ts';
import { Swatch } from './svg/textures.tsx';

interface ChartLegendProps {
  scope: string;
  data: ChartData;
  net?: string | undefined;
  /** Whether to list the series; wide charts label them at the side instead. */
  isShown: boolean;
  /** Whether the chart hatches partial buckets. */
  isHatched: boolean;
}

/** The legend of a chart. */
export function ChartLegend({ scope, data, net, isShown, isHatched }: ChartLegendProps) {
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
      {hasPartial && <li className="dimmed">Hatched: partial period</li>}
    </ul>
  );
}
