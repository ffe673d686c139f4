import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { type ChartData, describeMark, type FindingsBehindMark } from './data/chart-data.ts';
import { type MarkPosition, moveByKey } from './layout/arrow-keys.ts';
import type { ChartLayout, ChartMark } from './layout/chart-layout.ts';

interface ChartMarksProps {
  data: ChartData;
  chart: ChartLayout;
  title: string;
  behindOf?: FindingsBehindMark | undefined;
  onActive: (bucket: number | undefined) => void;
}

const MIN_SIZE_PX = 3;

const styleOf = ({ x, y, width, height }: ChartMark) => ({
  left: x,
  top: y - Math.max(0, MIN_SIZE_PX - height) / 2,
  width: Math.max(width, MIN_SIZE_PX),
  height: Math.max(height, MIN_SIZE_PX),
});

/** The interactive marks of a chart: a single tab stop, with arrow keys to move between marks. */
export function ChartMarks({ data, chart, title, behindOf, onActive }: ChartMarksProps) {
  const [position, setPosition] = useState<MarkPosition>({ bucket: Math.max(0, data.buckets.length - 1), series: 0 });
  const group = useRef<HTMLFieldSetElement>(null);
  const press = (event: KeyboardEvent) => {
    const next = moveByKey(event.key, position, { buckets: data.buckets.length, series: data.series.length });
    if (!next) return;
    event.preventDefault();
    setPosition(next);
    focusOn(group, next);
  };
  const focused = { bucket: Math.min(position.bucket, data.buckets.length - 1), series: position.series };
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
          'data-mark': `${mark.bucket} ${index}`,
          'data-empty': mark.value === 0 || undefined,
          tabIndex: focused.bucket === mark.bucket && focused.series === index ? 0 : -1,
          style: styleOf(mark),
          onMouseEnter: show,
          onFocus: () => {
            setPosition({ bucket: mark.bucket, series: index });
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
  group.current?.querySelector<HTMLElement>(`[data-mark="${bucket} ${series}"]`)?.focus();
}
