const DAY_MS = 86_400_000;

const padded = (number: number, length: number) => `${number}`.padStart(length, '0');

/** The local day of a time, as `YYYY-MM-DD`. */
export const dayOf = (time: Date): string =>
  [padded(time.getFullYear(), 4), padded(time.getMonth() + 1, 2), padded(time.getDate(), 2)].join('-');

/** The next local day, as `YYYY-MM-DD`: the first day that a decision can expire on. */
export const tomorrowOf = (now: Date): string => dayOf(new Date(now.getTime() + DAY_MS));

/** The start of a local day in ISO 8601; undefined if it is not a valid day. */
export function startOfDay(day: string): string | undefined {
  const time = new Date(`${day}T00:00:00`);
  return day === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
