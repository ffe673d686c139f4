interface TraceLocation {
  path: string;
  /** A 64-bit number, which the API sends as a string. */
  start: { line: string };
  locationUrl: string;
  content?: string | undefined;
}

interface DataFlowTrace {
  taintSource: readonly TraceLocation[];
  intermediateVars: readonly TraceLocation[];
  taintSink: readonly TraceLocation[];
}

export interface FlowStep {
  /** From 1, as in the URL. */
  number: number;
  role: 'Source' | 'Step' | 'Sink';
  path: string;
  line: number;
  url: string;
  code: string;
}

/** The steps of a data flow from source to sink. */
export function flowSteps(trace: DataFlowTrace | undefined): FlowStep[] {
  if (!trace) return [];
  const parts = [
    ['Source', trace.taintSource],
    ['Step', trace.intermediateVars],
    ['Sink', trace.taintSink],
  ] as const;
  return parts
    .flatMap(([role, locations]) => locations.map((location) => ({ role, location })))
    .map(({ role, location }, index) => ({
      number: index + 1,
      role,
      path: location.path,
      line: Number(location.start.line),
      url: location.locationUrl,
      code: location.content ?? '',
    }));
}

/** The step that the URL names, else the last one, where the finding is. */
export const findStep = (steps: readonly FlowStep[], named: string | undefined): FlowStep | undefined =>
  steps.find(({ number }) => String(number) === named) ?? steps.at(-1);

/** The step at an offset, limited to the first and last one. */
export function stepAtOffset(steps: readonly FlowStep[], from: FlowStep | undefined, by: number): FlowStep | undefined {
  const index = from === undefined ? 0 : from.number - 1 + by;
  return steps[Math.min(steps.length - 1, Math.max(0, index))];
}
