import { createContext, type MouseEvent, use, useSyncExternalStore } from 'react';

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

export function formatRelativeTime(at: Date, now: Date): string {
  const difference = at.getTime() - now.getTime();
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(difference) >= size) ?? ['second', 1000];
  return unit === 'second' ? 'just now' : relative.format(Math.round(difference / ms), unit);
}

export const formatAbsoluteTime = (at: Date): string => absolute.format(at);

const TIMES = 'parapet-times';
let isDateSet = localStorage.getItem(TIMES) === 'absolute';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How times are shown in this browser, until a click turns those of the page. */
export function setTimeFormat(isAbsolute: boolean): void {
  isDateSet = isAbsolute;
  localStorage.setItem(TIMES, isAbsolute ? 'absolute' : 'relative');
  for (const listener of listeners) listener();
}

/** Whether one click has turned all times of the page to the other way than is set, and how to turn them. */
export const TimeFormatContext = createContext({ isTurned: false, toggle: () => {} });

/** How times are shown now: as is set, or turned. */
export function useTimeFormat() {
  const { isTurned, toggle } = use(TimeFormatContext);
  const isDate = useSyncExternalStore(subscribe, () => isDateSet);
  return { isAbsolute: isDate !== isTurned, isTurned, toggle };
}

/** A moment: how long ago, with the exact time in its title; a click turns all times of the page. */
export function RelativeTime({ at }: { at: string | undefined }) {
  const { isAbsolute, toggle } = useTimeFormat();
  if (at === undefined || at === '') return <span className="dimmed">never</span>;
  const moment = new Date(at);
  const full = formatAbsoluteTime(moment);
  const click = (event: MouseEvent<HTMLElement>) => {
    if (event.currentTarget.closest('a, button, label, summary') === null) toggle();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: no stop at every time of a list; keys do it in the settings.
    <time
      dateTime={moment.toISOString()}
      title={`${full} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
      onClick={click}
    >
      {isAbsolute ? full : formatRelativeTime(moment, new Date())}
    </time>
  );
}
