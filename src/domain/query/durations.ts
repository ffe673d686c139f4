const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A month has 30 days and a year 365, so that durations do not depend on the date. */
const UNITS: [unitMs: number, ...names: string[]][] = [
  [HOUR_MS, 'h', 'hour', 'hours'],
  [DAY_MS, 'd', 'day', 'days'],
  [7 * DAY_MS, 'w', 'week', 'weeks'],
  [30 * DAY_MS, 'm', 'mo', 'month', 'months'],
  [365 * DAY_MS, 'y', 'year', 'years'],
];
const MAX_DURATION_MS = 100 * 365 * DAY_MS;

/** Parses `30d`, `12h`, `2w`, `3m` or `1y` into milliseconds; undefined if invalid or above a hundred years. */
export function parseDuration(text: string): number | undefined {
  const [, amount, name = ''] = /^(\d{1,6})([a-z]{1,6})$/i.exec(text) ?? [];
  const unit = UNITS.find(([, ...names]) => names.includes(name.toLowerCase()));
  if (amount === undefined || !unit) return undefined;
  const durationMs = Number(amount) * unit[0];
  return durationMs <= MAX_DURATION_MS ? durationMs : undefined;
}

/** In whole days, else in hours: the only units without ambiguity. */
export const formatDuration = (durationMs: number): string =>
  durationMs % DAY_MS === 0 ? `${durationMs / DAY_MS}d` : `${durationMs / HOUR_MS}h`;

/** The start of a day such as 2026-08-01 in UTC, as ISO 8601; undefined if there is no such day. */
export function parseDay(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const instantMs = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(instantMs)) return undefined;
  const day = new Date(instantMs).toISOString();
  return day.startsWith(text) ? day : undefined;
}

export const formatDay = (day: string): string => day.slice(0, 'YYYY-MM-DD'.length);

/** The day that many days later; undefined if its year has more than four digits. */
export function addDays(day: string, days = 1): string | undefined {
  const instantMs = Date.parse(day) + days * DAY_MS;
  const later = Number.isNaN(instantMs) ? '' : new Date(instantMs).toISOString();
  return parseDay(formatDay(later));
}
