import { type RefObject, useId, useMemo, useState } from 'react';
import './charts.css';
import { ChartLegend } from './chart-legend.tsx';
import { ChartMarks } from './chart-marks.tsx';
import { type ChartData, describeBucket, type FindingsBehindMark } from './data/chart-data.ts';
import { chartBox, hasSideLabels, layoutLines, layoutStackedAreas, layoutStackedBars } from './layout/chart-layout.ts';
import { type ChartKind, ChartSvg } from './svg/chart-svg.tsx';
import { useWidth } from './use-width.ts';

export interface ChartProps {
  title: string;
  summary: string;
  data: ChartData;
  behindOf?: FindingsBehindMark | undefined;
  height?: number;
  net?: { label: string; values: readonly number[] } | undefined;
  svgRef?: RefObject<SVGSVGElement | null>;
}

const LAYOUT_FUNCTIONS = { bars: layoutStackedBars, areas: layoutStackedAreas, lines: layoutLines } as const;
const HEIGHT = 260;

/** A chart that fills the available width: SVG, interactive marks, legend and the values of the active bucket. */
function BaseChart({
  kind,
  title,
  summary,
  data,
  behindOf,
  height = HEIGHT,
  net,
  svgRef,
}: ChartProps & { kind: ChartKind }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const scope = useId().replaceAll(/[^\w-]/g, '');
  const [active, setActive] = useState<number>();
  const chart = useMemo(() => {
    const names = data.series.map(({ label }) => label);
    return LAYOUT_FUNCTIONS[kind](data, chartBox(width, height, names));
  }, [kind, data, width, height]);
  const bucket = active === undefined ? undefined : data.buckets[active];
  const column = active === undefined ? undefined : chart.columns[active];
  return (
    <div className="chart" ref={ref}>
      {width > 0 && (
        <div className="chart-stage" style={{ height }}>
          {column && <div className="chart-column" style={{ left: column.x, width: column.width }} />}
          <ChartSvg
            data={data}
            chart={chart}
            kind={kind}
            summary={summary}
            scope={scope}
            net={net}
            {...(svgRef ? { svgRef } : {})}
          />
          <ChartMarks data={data} chart={chart} title={title} behindOf={behindOf} onActive={setActive} />
        </div>
      )}
      <ChartLegend
        scope={scope}
        data={data}
        net={net?.label}
        isShown={!hasSideLabels(width) || net !== undefined}
        isHatched={kind === 'bars'}
      />
      <p className="chart-readout no-print" aria-hidden="true">
        {bucket ? (
          <>
            <strong>{bucket.title}</strong> {describeBucket(bucket, data.series)}
          </>
        ) : (
          'Hover over the chart or use the arrow keys to read its values.'
        )}
      </p>
    </div>
  );
}

export const StackedBarChart = (props: ChartProps) => <BaseChart kind="bars" {...props} />;
export const StackedAreaChart = (props: ChartProps) => <BaseChart kind="areas" {...props} />;
export const LineChart = (props: ChartProps) => <BaseChart kind="lines" {...props} />;
