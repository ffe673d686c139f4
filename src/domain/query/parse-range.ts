import type { DurationRange, NumberRange, TimePoint, TimeRange } from './ast.ts';
import { addDays, parseDay, parseDuration } from './durations.ts';

/** A parsed range, or advice that completes the sentence "… is not understood here: ". */
export type RangeResult<Range> = { range: Range } | { advice: string; suggestions?: string[] };

interface Ends {
  low?: string;
  high?: string;
  /** True for `>` and `<`. */
  isStrict: boolean;
  isBare: boolean;
}

function endsOf(text: string): Ends {
  const ends = { isStrict: false, isBare: false };
  if (text.startsWith('>=')) return { ...ends, low: text.slice(2) };
  if (text.startsWith('<=')) return { ...ends, high: text.slice(2) };
  if (text.startsWith('>')) return { ...ends, low: text.slice(1), isStrict: true };
  if (text.startsWith('<')) return { ...ends, high: text.slice(1), isStrict: true };
  const at = text.indexOf('..');
  if (at === -1) return { ...ends, low: text, high: text, isBare: true };
  const [low, high] = [text.slice(0, at), text.slice(at + 2)];
  return { ...ends, ...(low !== '' && { low }), ...(high !== '' && { high }) };
}

interface Bounds<Point> {
  low?: Point;
  high?: Point;
}

/** Both ends parsed, or undefined if one is invalid or both are missing. */
function boundsOf<Point>({ low, high }: Ends, read: (text: string) => Point | undefined): Bounds<Point> | undefined {
  const [from, to] = [low === undefined ? undefined : read(low), high === undefined ? undefined : read(high)];
  const isInvalid = (low !== undefined && from === undefined) || (high !== undefined && to === undefined);
  if (isInvalid || (from === undefined && to === undefined)) return undefined;
  return { ...(from !== undefined && { low: from }), ...(to !== undefined && { high: to }) };
}

const lowerFirst = ({ low = '', high = '' }: Ends) => ({
  advice: 'write the lower end first',
  suggestions: low === high ? [] : [`${high}..${low}`],
});

/** Probabilities are published with at most six decimals, and those print without an exponent. */
const fractionOf = (text: string) => (/^\d(\.\d{1,6})?$/.test(text) && Number(text) <= 1 ? Number(text) : undefined);

/** A number from 0 to 1, or a range of them. */
export function parseNumberRange(text: string): RangeResult<NumberRange> {
  const ends = endsOf(text);
  const bounds = boundsOf(ends, fractionOf);
  if (!bounds) return { advice: 'write a number from 0 to 1, such as >=0.5 or 0.1..0.5' };
  const { low, high } = bounds;
  const range = { kind: 'range', of: 'number' } as const;
  if (ends.isStrict) return { range: low === undefined ? { ...range, below: high ?? 1 } : { ...range, above: low } };
  if (low !== undefined && high !== undefined && low > high) return lowerFirst(ends);
  return { range: { ...range, ...(low !== undefined && { from: low }), ...(high !== undefined && { to: high }) } };
}

/** A range of durations. Milliseconds do not matter, so `>` means `>=` and `<=` means `<`. */
export function parseDurationRange(text: string): RangeResult<DurationRange> {
  const ends = endsOf(text);
  const bounds = boundsOf(ends, parseDuration);
  if (!bounds) return { advice: 'write a duration such as >30d, <12h, >2w, <3m or 30d..1y' };
  if (ends.isBare) {
    const suggestions = [`>${text}`, `<${text}`];
    return { advice: `write >${text} for more than that, or <${text} for less`, suggestions };
  }
  const { low, high } = bounds;
  if (low !== undefined && high !== undefined && low >= high) return lowerFirst(ends);
  const range = { kind: 'range', of: 'duration' } as const;
  return { range: { ...range, ...(low !== undefined && { fromMs: low }), ...(high !== undefined && { toMs: high }) } };
}

/** A day, a point in time such as `-30d`, or an elapsed time such as `30d`, which compares in reverse. */
type Point = { day: string } | { agoMs: number; isElapsed: boolean };

function pointOf(text: string): Point | undefined {
  const day = parseDay(text);
  if (day !== undefined) return { day };
  const isElapsed = !text.startsWith('-');
  const agoMs = parseDuration(isElapsed ? text : text.slice(1));
  return agoMs === undefined ? undefined : { agoMs, isElapsed };
}

const isElapsed = (point: Point | undefined) => point !== undefined && 'agoMs' in point && point.isElapsed;

/** The start or end of a range; `isNextDay` moves a day to the start of the following day. */
function timePointOf(point: Point | undefined, isNextDay: boolean): TimePoint | undefined {
  if (!point) return undefined;
  if ('agoMs' in point) return { agoMs: point.agoMs };
  const at = isNextDay ? addDays(point.day) : point.day;
  return at === undefined ? undefined : { at };
}

const isInOrder = (from: TimePoint, to: TimePoint) =>
  'at' in from ? !('at' in to) || from.at < to.at : !('agoMs' in to) || from.agoMs > to.agoMs;

/** A day, the time since a point, or a range of days and points in time. */
export function parseTimeRange(text: string): RangeResult<TimeRange> {
  const advice = 'write a date or how long ago, such as >=2026-08-01, >-30d or 2026-08-01..2026-08-31';
  const ends = endsOf(text);
  const bounds = boundsOf(ends, pointOf);
  if (!bounds) return { advice };
  const { low, high } = bounds;
  const range = { kind: 'range', of: 'moment' } as const;
  if (ends.isBare && low && 'agoMs' in low) return { range: { ...range, from: { agoMs: low.agoMs } } };
  if (low && high && isElapsed(low) !== isElapsed(high))
    return { advice: 'write a minus before the duration, such as -30d for the moment 30 days ago' };
  const isReversed = isElapsed(low ?? high);
  const from = isReversed ? timePointOf(high, false) : timePointOf(low, ends.isStrict);
  const to = isReversed ? timePointOf(low, false) : timePointOf(high, !ends.isStrict);
  if ((from ?? to) === undefined || (low && high && !(from && to))) return { advice };
  if (from && to && !isInOrder(from, to)) return lowerFirst(ends);
  return { range: { ...range, ...(from && { from }), ...(to && { to }) } };
}
