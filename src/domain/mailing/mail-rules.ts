import type { MailRhythm } from './mail-shape.ts';

const DAY_MS = 86_400_000;

export interface DigestTimes {
  timeZone: string;
  hour: number;
  /** 1 for Monday to 7 for Sunday. */
  weekday: number;
}

/** How far a time zone is ahead of UTC at a moment. */
function offsetMs(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(at / 1000) * 1000;
}

/** The next time after a moment at which a clock of the time zone shows the hour, on the weekday if one is given. */
export function nextOccurrence(after: Date, { timeZone, hour }: DigestTimes, weekday?: number): Date {
  const local = new Date(after.getTime() + offsetMs(timeZone, after.getTime()));
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  for (let days = 0; ; days += 1) {
    const wall = midnight + days * DAY_MS + hour * 3_600_000;
    // Twice, because the first offset may be that of the other side of a change of the clocks.
    const guess = wall - offsetMs(timeZone, wall);
    const at = wall - offsetMs(timeZone, guess);
    const isWeekday = weekday === undefined || (new Date(wall).getUTCDay() || 7) === weekday;
    if (isWeekday && at > after.getTime()) return new Date(at);
  }
}

/** When a part of the digest is due next; undefined for parts that are mailed at once or never. */
export function nextDue(rhythm: MailRhythm, after: Date, times: DigestTimes): Date | undefined {
  if (rhythm === 'daily') return nextOccurrence(after, times);
  return rhythm === 'weekly' ? nextOccurrence(after, times, times.weekday) : undefined;
}

/** When the next digest of these parts is due. */
export function nextDigest(rhythms: readonly MailRhythm[], after: Date, times: DigestTimes): Date | undefined {
  const due = rhythms.flatMap((rhythm) => nextDue(rhythm, after, times)?.getTime() ?? []);
  return due.length === 0 ? undefined : new Date(Math.min(...due));
}
