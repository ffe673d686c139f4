const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A month is 30 days and a year 365, so that a duration is the same at any time. */
const UNITS: [unitMs: number, ...names: string[]][] = [
  [HOUR_MS, 'h', 'hour', 'hours'],
  [DAY_MS, 'd', 'day', 'days'],
  [7 * DAY_MS, 'w', 'week', 'weeks'],
  [30 * DAY_MS, 'm', 'mo', 'month', 'months'],
  [365 * DAY_MS, 'y', 'year', 'years'],
];
const LONGEST_MS = 100 * 365 * DAY_MS;

/** Milliseconds of `30d`, `12h`, `2w`, `3m` or `1y`; undefined for anything else and beyond a hundred years. */
export function parseDuration(text: string): number | undefined {
  const [, amount, name = ''] = /^(\d{1,6})([a-z]{1,6})$/i.exec(text) ?? [];
  const unit = UNITS.find(([, ...names]) => names.includes(name.toLowerCase()));
  if (amount === undefined || !unit) return undefined;
  const durationMs = Number(amount) * unit[0];
  return durationMs <= LONGEST_MS ? durationMs : undefined;
}

/** In days where they are whole, else in hours: the only two units that mean the same to everybody. */
export const formatDuration = (durationMs: number): string =>
  durationMs % DAY_MS === 0 ? `${durationMs / DAY_MS}d` : `${durationMs / HOUR_MS}h`;

/** The first instant of a day such as 2026-08-01 in UTC, as ISO 8601; undefined where no calendar has that day. */
export function parseDay(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const instantMs = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(instantMs)) return undefined;
  const day = new Date(instantMs).toISOString();
  return day.startsWith(text) ? day : undefined;
}

export const formatDay = (day: string): string => day.slice(0, 'YYYY-MM-DD'.length);

/** The day so many days later, or undefined where its year has no longer four digits. */
export function addDays(day: string, days = 1): string | undefined {
  const instantMs = Date.parse(day) + days * DAY_MS;
  const later = Number.isNaN(instantMs) ? '' : new Date(instantMs).toISOString();
  return parseDay(formatDay(later));
}
