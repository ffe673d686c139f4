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

const TIME_FORMAT_KEY = 'parapet-times';
let isAbsolutePreferred = localStorage.getItem(TIME_FORMAT_KEY) === 'absolute';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Sets how this browser shows times by default. */
export function setTimeFormat(isAbsolute: boolean): void {
  isAbsolutePreferred = isAbsolute;
  localStorage.setItem(TIME_FORMAT_KEY, isAbsolute ? 'absolute' : 'relative');
  for (const listener of listeners) listener();
}

/** Whether a click has switched all times of the page to the other format, and how to switch. */
export const TimeFormatContext = createContext({ isToggled: false, toggle: () => {} });

/** The current time format: the default of the browser, or the other one after a click. */
export function useTimeFormat() {
  const { isToggled, toggle } = use(TimeFormatContext);
  const isDate = useSyncExternalStore(subscribe, () => isAbsolutePreferred);
  return { isAbsolute: isDate !== isToggled, isToggled, toggle };
}

/** A point in time, relative by default with the exact time as title. A click switches all times of the page. */
export function RelativeTime({ at }: { at: string | undefined }) {
  const { isAbsolute, toggle } = useTimeFormat();
  if (at === undefined || at === '') return <span className="dimmed">never</span>;
  const moment = new Date(at);
  const full = formatAbsoluteTime(moment);
  const click = (event: MouseEvent<HTMLElement>) => {
    if (event.currentTarget.closest('a, button, label, summary') === null) toggle();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the settings offer the same by keyboard.
    <time
      dateTime={moment.toISOString()}
      title={`${full} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`}
      onClick={click}
    >
      {isAbsolute ? full : formatRelativeTime(moment, new Date())}
    </time>
  );
}
