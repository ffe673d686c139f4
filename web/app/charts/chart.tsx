import { type RefObject, useId, useMemo, useState } from 'react';
import './charts.css';
import { type BehindOf, bucketText, type ChartData } from './data.ts';
import { boxOf, isLabelled, plainLines, stackedAreas, stackedBars } from './geometry.ts';
import { Legend } from './legend.tsx';
import { Marks } from './marks.tsx';
import { type Kind, Picture } from './picture.tsx';
import { useWidth } from './use-width.ts';

export interface ChartProps {
  title: string;
  summary: string;
  data: ChartData;
  behindOf?: BehindOf | undefined;
  height?: number;
  net?: { label: string; values: readonly number[] } | undefined;
  svgRef?: RefObject<SVGSVGElement | null>;
}

const LAYOUTS = { bars: stackedBars, areas: stackedAreas, lines: plainLines } as const;
const HEIGHT = 260;

/** A chart of the width that there is: its picture, its marks, and the numbers of the bucket one looks at. */
function ChartOf({ kind, title, summary, data, behindOf, height = HEIGHT, net, svgRef }: ChartProps & { kind: Kind }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const scope = useId().replaceAll(/[^\w-]/g, '');
  const [active, setActive] = useState<number>();
  const chart = useMemo(() => {
    const names = data.series.map(({ label }) => label);
    return LAYOUTS[kind](data, boxOf(width, height, names));
  }, [kind, data, width, height]);
  const bucket = active === undefined ? undefined : data.buckets[active];
  const column = active === undefined ? undefined : chart.columns[active];
  return (
    <div className="chart" ref={ref}>
      {width > 0 && (
        <div className="chart-stage" style={{ height }}>
          {column && <div className="chart-column" style={{ left: column.x, width: column.width }} />}
          <Picture
            data={data}
            chart={chart}
            kind={kind}
            summary={summary}
            scope={scope}
            net={net}
            {...(svgRef ? { svgRef } : {})}
          />
          <Marks data={data} chart={chart} title={title} behindOf={behindOf} onActive={setActive} />
        </div>
      )}
      <Legend
        scope={scope}
        data={data}
        net={net?.label}
        isShown={!isLabelled(width) || net !== undefined}
        isHatched={kind === 'bars'}
      />
      <p className="chart-readout no-print" aria-hidden="true">
        {bucket ? (
          <>
            <strong>{bucket.title}</strong> {bucketText(bucket, data.series)}
          </>
        ) : (
          'Point at the chart, or move through it with the arrow keys, to read its numbers.'
        )}
      </p>
    </div>
  );
}

export const StackedBars = (props: ChartProps) => <ChartOf kind="bars" {...props} />;
export const StackedArea = (props: ChartProps) => <ChartOf kind="areas" {...props} />;
export const Lines = (props: ChartProps) => <ChartOf kind="lines" {...props} />;
