interface Location {
  path: string;
  /** Counts have 64 bits, so the API writes them as text. */
  start: { line: string };
  locationUrl: string;
  content?: string | undefined;
}

export interface DataFlowTrace {
  taintSource: readonly Location[];
  intermediateVars: readonly Location[];
  taintSink: readonly Location[];
}

export interface FlowStep {
  /** Counts from 1, as in the address. */
  number: number;
  role: 'Source' | 'Step' | 'Sink';
  path: string;
  line: number;
  url: string;
  code: string;
}

/** The way of the data, from where it comes in to where it does harm. */
export function flowSteps(trace: DataFlowTrace | undefined): FlowStep[] {
  if (!trace) return [];
  const parts = [
    ['Source', trace.taintSource],
    ['Step', trace.intermediateVars],
    ['Sink', trace.taintSink],
  ] as const;
  return parts
    .flatMap(([role, places]) => places.map((place) => ({ role, place })))
    .map(({ role, place }, index) => ({
      number: index + 1,
      role,
      path: place.path,
      line: Number(place.start.line),
      url: place.locationUrl,
      code: place.content ?? '',
    }));
}

/** The step that an address names, or the last one: that is where the finding is. */
export const findStep = (steps: readonly FlowStep[], named: string | undefined): FlowStep | undefined =>
  steps.find(({ number }) => String(number) === named) ?? steps.at(-1);

/** The step so many further, without leaving the way. */
export function stepAtOffset(steps: readonly FlowStep[], from: FlowStep | undefined, by: number): FlowStep | undefined {
  const index = from === undefined ? 0 : from.number - 1 + by;
  return steps[Math.min(steps.length - 1, Math.max(0, index))];
}
