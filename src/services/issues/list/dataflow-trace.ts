import type { z } from 'zod';
import type { DataflowTrace } from './shape.ts';

type Trace = z.output<typeof DataflowTrace>;
type Step = Trace['taintSource'][number];
type JsonObject = Record<string, unknown>;

const MAX_STEPS = 100;
const MAX_DEPTH = 12;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const object = (value: unknown): JsonObject => (isObject(value) ? value : {});
const count = (value: unknown): number => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);

function step(path: unknown, start: JsonObject, end: JsonObject, content: unknown): Step {
  const point = ({ line, col, offset }: JsonObject) => ({ line: count(line), col: count(col), offset: count(offset) });
  return {
    path: String(path),
    start: point(start),
    end: point(end),
    locationUrl: '',
    ...(typeof content === 'string' && content !== '' && { content }),
  };
}

const isLocation = (value: unknown): value is JsonObject =>
  isObject(value) && typeof value['path'] === 'string' && isObject(value['start']);

const stepAt = (location: JsonObject, content: unknown): Step =>
  step(location['path'], object(location['start']), object(location['end']), content);

/** Semgrep nests locations, each paired with its code, in calls of any depth. Their order is the path of the data. */
function stepsIn(value: unknown, depth = 0): Step[] {
  if (depth > MAX_DEPTH) return [];
  if (isLocation(value)) return [stepAt(value, value['content'])];
  if (isObject(value)) {
    if (isLocation(value['location'])) return [stepAt(value['location'], value['content'])];
    return Object.values(value).flatMap((member) => stepsIn(member, depth + 1));
  }
  if (!Array.isArray(value)) return [];
  const [first, second] = value;
  if (isLocation(first) && typeof second === 'string') return [stepAt(first, second)];
  return value.flatMap((member) => stepsIn(member, depth + 1));
}

/** Other tools send flows as lists of steps; only the first flow is used. */
function flowOf(flows: readonly unknown[]): Step[] {
  const [flow] = flows;
  if (!Array.isArray(flow)) return [];
  return flow.filter(isObject).map((location) => {
    const { line, column, endLine, endColumn } = object(location['region']);
    return step(location['path'] ?? '', { line, col: column }, { line: endLine, col: endColumn }, location['code']);
  });
}

/** Converts the trace that a scanner sent into a dataflow trace; undefined if there is none. */
export function dataflowTraceOf(stored: unknown): Trace | undefined {
  if (Array.isArray(stored)) {
    const steps = flowOf(stored).slice(0, MAX_STEPS);
    const sink = steps.at(-1);
    if (!sink) return undefined;
    return { taintSource: steps.slice(0, -1).slice(0, 1), intermediateVars: steps.slice(1, -1), taintSink: [sink] };
  }
  if (!isObject(stored)) return undefined;
  const part = (name: string) => stepsIn(stored[name]).slice(0, MAX_STEPS);
  const [taintSource, intermediateVars, taintSink] = [
    part('taint_source'),
    part('intermediate_vars'),
    part('taint_sink'),
  ];
  if (taintSource.length + taintSink.length === 0) return undefined;
  return { taintSource, intermediateVars, taintSink };
}
