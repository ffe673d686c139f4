import { createContext, use } from 'react';

const UNITS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function relativeTime(at: Date, now: Date): string {
  const difference = at.getTime() - now.getTime();
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(difference) >= size) ?? ['second', 1000];
  return unit === 'second' ? 'just now' : relative.format(Math.round(difference / ms), unit);
}

export const absoluteTime = (at: Date): string => absolute.format(at);

/** One click on any time turns all of the page between "3 days ago" and the date. */
export const TimeStyle = createContext({ isAbsolute: false, toggle: () => {} });

/** A moment: how long ago, with the exact time in its title. */
export function When({ at }: { at: string | undefined }) {
  const { isAbsolute, toggle } = use(TimeStyle);
  if (at === undefined || at === '') return <span className="dimmed">never</span>;
  const moment = new Date(at);
  const full = absoluteTime(moment);
  return (
    <time
      dateTime={moment.toISOString()}
      title={`${full} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
      onDoubleClick={toggle}
    >
      {isAbsolute ? full : relativeTime(moment, new Date())}
    </time>
  );
}
