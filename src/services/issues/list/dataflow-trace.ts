import type { z } from 'zod';
import type { DataflowTrace } from './shape.ts';

type Trace = z.output<typeof DataflowTrace>;
type Step = Trace['taintSource'][number];
type Loose = Record<string, unknown>;

const MOST_STEPS = 100;
const DEEPEST = 12;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const object = (value: unknown): Loose => (isObject(value) ? value : {});
const count = (value: unknown): number => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);

function step(path: unknown, start: Loose, end: Loose, content: unknown): Step {
  const point = ({ line, col, offset }: Loose) => ({ line: count(line), col: count(col), offset: count(offset) });
  return {
    path: String(path),
    start: point(start),
    end: point(end),
    locationUrl: '',
    ...(typeof content === 'string' && content !== '' && { content }),
  };
}

const isLocation = (value: unknown): value is Loose =>
  isObject(value) && typeof value['path'] === 'string' && isObject(value['start']);

const located = (place: Loose, content: unknown): Step =>
  step(place['path'], object(place['start']), object(place['end']), content);

/** Semgrep nests places in pairs with their code, in calls and calls of calls; their order is the way of the data. */
function placesIn(value: unknown, depth = 0): Step[] {
  if (depth > DEEPEST) return [];
  if (isLocation(value)) return [located(value, value['content'])];
  if (isObject(value)) {
    if (isLocation(value['location'])) return [located(value['location'], value['content'])];
    return Object.values(value).flatMap((member) => placesIn(member, depth + 1));
  }
  if (!Array.isArray(value)) return [];
  const [first, second] = value;
  if (isLocation(first) && typeof second === 'string') return [located(first, second)];
  return value.flatMap((member) => placesIn(member, depth + 1));
}

/** The flows of other tools are lists of steps; the first is shown. */
function flowOf(flows: readonly unknown[]): Step[] {
  const [flow] = flows;
  if (!Array.isArray(flow)) return [];
  return flow.filter(isObject).map((one) => {
    const { line, column, endLine, endColumn } = object(one['region']);
    return step(one['path'] ?? '', { line, col: column }, { line: endLine, col: endColumn }, one['code']);
  });
}

/** The way of the data as the API tells it, from what the scanner sent of it; undefined where it sent none. */
export function dataflowTraceOf(stored: unknown): Trace | undefined {
  if (Array.isArray(stored)) {
    const steps = flowOf(stored).slice(0, MOST_STEPS);
    const sink = steps.at(-1);
    if (!sink) return undefined;
    return { taintSource: steps.slice(0, -1).slice(0, 1), intermediateVars: steps.slice(1, -1), taintSink: [sink] };
  }
  if (!isObject(stored)) return undefined;
  const part = (name: string) => placesIn(stored[name]).slice(0, MOST_STEPS);
  const [taintSource, intermediateVars, taintSink] = [
    part('taint_source'),
    part('intermediate_vars'),
    part('taint_sink'),
  ];
  if (taintSource.length + taintSink.length === 0) return undefined;
  return { taintSource, intermediateVars, taintSink };
}
