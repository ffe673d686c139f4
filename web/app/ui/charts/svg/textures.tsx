import type { ReactNode } from 'react';
import type { ChartSeries, ChartTexture } from '../data/chart-data.ts';

const SIZE = 6;

/** The shape that each texture draws over its light background. */
const STROKES: Record<ChartTexture, (color: string) => ReactNode> = {
  solid: (color) => <rect width={SIZE} height={SIZE} fill={color} />,
  light: () => null,
  diagonal: (color) => <path d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2" stroke={color} strokeWidth={1.6} />,
  cross: (color) => <path d="M0,3 h6 M3,0 v6" stroke={color} strokeWidth={1.2} />,
  dots: (color) => <circle cx={3} cy={3} r={1.5} fill={color} />,
  lines: (color) => <path d="M0,3 h6" stroke={color} strokeWidth={2} />,
};

export const textureId = (scope: string, key: string): string => `${scope}-${key}`;
export const fillOf = (scope: string, key: string): string => `url(#${textureId(scope, key)})`;

/** The SVG patterns of a chart: one per series, and the hatching of partial buckets. */
export function Textures({ scope, series }: { scope: string; series: readonly ChartSeries[] }) {
  return (
    <defs>
      {series.map(({ key, color, texture }) => (
        <pattern
          key={key}
          id={textureId(scope, key)}
          width={SIZE}
          height={SIZE}
          patternUnits="userSpaceOnUse"
          className="chart-texture"
        >
          <rect width={SIZE} height={SIZE} fill={color} fillOpacity={0.22} />
          {STROKES[texture](color)}
        </pattern>
      ))}
      <pattern id={textureId(scope, 'partial')} width={8} height={8} patternUnits="userSpaceOnUse">
        <path d="M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4" stroke="var(--surface)" strokeWidth={2.5} />
      </pattern>
    </defs>
  );
}

/** A small sample of a fill, for the legend. */
export function Swatch({ scope, series }: { scope: string; series: ChartSeries }) {
  const own = `${scope}-swatch`;
  return (
    <svg className="chart-swatch" width={14} height={14} aria-hidden="true">
      <Textures scope={own} series={[series]} />
      <rect x={0.5} y={0.5} width={13} height={13} fill={fillOf(own, series.key)} stroke={series.color} />
    </svg>
  );
}
