import type { Ref } from 'react';
import type { ChartData } from '../data/chart-data.ts';
import { type ChartLayout, hasSideLabels } from '../layout/chart-layout.ts';
import { endLabels } from '../layout/end-labels.ts';
import { fillOf, Textures } from './textures.tsx';

export type ChartKind = 'bars' | 'areas' | 'lines';

interface ChartSvgProps {
  data: ChartData;
  chart: ChartLayout;
  kind: ChartKind;
  /** Accessible summary of the chart. */
  summary: string;
  scope: string;
  /** A line over the bars, with one value per bucket. */
  net?: { label: string; values: readonly number[] } | undefined;
  svgRef?: Ref<SVGSVGElement>;
}

/** The SVG of a chart; screen readers get its summary. */
export function ChartSvg({ data, chart, kind, summary, scope, net, svgRef }: ChartSvgProps) {
  const { box } = chart;
  return (
    <svg
      ref={svgRef}
      className="chart-svg"
      role="img"
      aria-label={summary}
      width={box.width}
      height={box.height}
      viewBox={`0 0 ${box.width} ${box.height}`}
    >
      <Textures scope={scope} series={data.series} />
      <Axes chart={chart} />
      {kind === 'bars' ? (
        <Bars data={data} chart={chart} scope={scope} />
      ) : (
        <Paths data={data} chart={chart} kind={kind} scope={scope} />
      )}
      <line className="chart-base" x1={box.left} x2={box.width - box.right} y1={chart.y(0)} y2={chart.y(0)} />
      {net && <NetLine chart={chart} values={net.values} />}
      {hasSideLabels(box.width) && box.right > 20 && <Labels data={data} chart={chart} scope={scope} />}
    </svg>
  );
}

function Axes({ chart: { box, yTicks, xTicks } }: { chart: ChartLayout }) {
  return (
    <g className="chart-axes" fontSize={11}>
      {yTicks.map(({ at, text }) => (
        <g key={at}>
          <line x1={box.left} x2={box.width - box.right} y1={at} y2={at} />
          <text x={box.left - 6} y={at} dy="0.32em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {xTicks.map(({ at, text }) => (
        <text key={at} x={at} y={box.height - 8} textAnchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

function Bars({ data, chart, scope }: Pick<ChartSvgProps, 'data' | 'chart' | 'scope'>) {
  const colors = new Map(data.series.map(({ key, color }) => [key, color]));
  return (
    <g>
      {chart.marks
        .filter(({ value }) => value > 0)
        .map((mark) => {
          const rectangle = { x: mark.x, y: mark.y, width: mark.width, height: mark.height };
          return (
            <g key={`${mark.series} ${mark.bucket}`}>
              <rect
                {...rectangle}
                fill={fillOf(scope, mark.series)}
                stroke={colors.get(mark.series)}
                strokeWidth={0.75}
              />
              {data.buckets[mark.bucket]?.isPartial && (
                <rect {...rectangle} fill={fillOf(scope, 'partial')} opacity={0.6} />
              )}
            </g>
          );
        })}
    </g>
  );
}

function Paths({ data, chart, kind, scope }: Pick<ChartSvgProps, 'data' | 'chart' | 'kind' | 'scope'>) {
  const colors = new Map(data.series.map(({ key, color }) => [key, color]));
  return (
    <g>
      {chart.paths.map(({ series, area, edge }) => (
        <g key={series}>
          {kind === 'areas' && <path d={area} fill={fillOf(scope, series)} />}
          <path d={edge} fill="none" stroke={colors.get(series)} strokeWidth={kind === 'areas' ? 1 : 2} />
        </g>
      ))}
      {kind === 'lines' &&
        chart.marks.map(({ series, bucket, x, y, width }) => (
          <circle
            key={`${series} ${bucket}`}
            cx={x + width / 2}
            cy={y + width / 2}
            r={2.5}
            fill={colors.get(series)}
            stroke="var(--surface)"
          />
        ))}
    </g>
  );
}

function NetLine({ chart, values }: { chart: ChartLayout; values: readonly number[] }) {
  const points = values.map((value, index) => {
    const column = chart.columns[index];
    return [column ? column.x + column.width / 2 : 0, chart.y(value)] as const;
  });
  return (
    <g className="chart-net">
      <polyline points={points.map((point) => point.join(',')).join(' ')} />
      {points.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r={2.5} />
      ))}
    </g>
  );
}

function Labels({ data, chart, scope }: Pick<ChartSvgProps, 'data' | 'chart' | 'scope'>) {
  const x = chart.box.width - chart.box.right + 14;
  return (
    <g className="chart-labels" fontSize={12}>
      {endLabels(data, chart).map(({ series, from, y }) => (
        <g key={series.key}>
          {from && (
            <polyline
              points={`${from.x + 1},${from.y} ${x - 8},${y} ${x - 2},${y}`}
              stroke={series.color}
              fill="none"
            />
          )}
          <rect x={x} y={y - 6} width={12} height={12} fill={fillOf(scope, series.key)} stroke={series.color} />
          <text x={x + 17} y={y} dy="0.34em">
            {series.label}
          </text>
        </g>
      ))}
    </g>
  );
}
