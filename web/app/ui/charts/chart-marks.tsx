import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { type ChartData, describeMark, type FindingsBehindMark } from './data/chart-data.ts';
import { type MarkPosition, moveByKey } from './layout/arrow-keys.ts';
import type { ChartLayout, ChartMark } from './layout/chart-layout.ts';

interface MarksProps {
  data: ChartData;
  chart: ChartLayout;
  title: string;
  behindOf?: FindingsBehindMark | undefined;
  onActive: (bucket: number | undefined) => void;
}

const LEAST_PX = 3;

const placeOf = ({ x, y, width, height }: ChartMark) => ({
  left: x,
  top: y - Math.max(0, LEAST_PX - height) / 2,
  width: Math.max(width, LEAST_PX),
  height: Math.max(height, LEAST_PX),
});

/** What can be pointed at and reached by keys: one stop for Tab, arrow keys from mark to mark. */
export function ChartMarks({ data, chart, title, behindOf, onActive }: MarksProps) {
  const [spot, setSpot] = useState<MarkPosition>({ bucket: Math.max(0, data.buckets.length - 1), series: 0 });
  const group = useRef<HTMLFieldSetElement>(null);
  const press = (event: KeyboardEvent) => {
    const next = moveByKey(event.key, spot, { buckets: data.buckets.length, series: data.series.length });
    if (!next) return;
    event.preventDefault();
    setSpot(next);
    focusOn(group, next);
  };
  const here = { bucket: Math.min(spot.bucket, data.buckets.length - 1), series: spot.series };
  return (
    <fieldset
      ref={group}
      className="chart-marks no-print"
      aria-label={`${title}: values. Arrow keys move between them.`}
      onKeyDown={press}
      onMouseLeave={() => onActive(undefined)}
      onBlur={() => onActive(undefined)}
    >
      {chart.marks.map((mark) => {
        const [bucket, index] = [data.buckets[mark.bucket], data.series.findIndex(({ key }) => key === mark.series)];
        const series = data.series[index];
        if (!bucket || !series) return null;
        const behind = mark.value === 0 ? undefined : behindOf?.(mark.bucket, mark.series);
        const show = () => onActive(mark.bucket);
        const shared = {
          className: 'chart-mark',
          'aria-label': describeMark(bucket, series, behind?.findings),
          'data-spot': `${mark.bucket} ${index}`,
          'data-empty': mark.value === 0 || undefined,
          tabIndex: here.bucket === mark.bucket && here.series === index ? 0 : -1,
          style: placeOf(mark),
          onMouseEnter: show,
          onFocus: () => {
            setSpot({ bucket: mark.bucket, series: index });
            show();
          },
        };
        const key = `${mark.series} ${mark.bucket}`;
        return behind === undefined ? (
          <span key={key} role="img" {...shared} />
        ) : (
          <FindingsLink key={key} q={behind.q} {...shared} />
        );
      })}
    </fieldset>
  );
}

function focusOn(group: RefObject<HTMLFieldSetElement | null>, { bucket, series }: MarkPosition): void {
  group.current?.querySelector<HTMLElement>(`[data-spot="${bucket} ${series}"]`)?.focus();
}
