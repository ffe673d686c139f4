import { z } from 'zod';
import type { ProcessOutcome } from '#kernel/sandbox/limited-process.ts';
import type { RuleMatch } from './annotation-rules.ts';
import { MAX_RUN_SECONDS, type ScanResult } from './contract.ts';

/** The names of the files in the job folder. */
export const TARGET_FILE = 'target';

/** The report of the engine; members that are not named here are passed on. */
const Position = z.looseObject({ line: z.int().min(1), col: z.int(), offset: z.int() });
const Report = z.looseObject({
  version: z.string(),
  results: z.array(
    z.looseObject({
      check_id: z.string(),
      start: Position,
      end: Position,
      extra: z.looseObject({ lines: z.string().optional() }),
    }),
  ),
  errors: z.array(z.looseObject({ type: z.unknown(), message: z.string().optional() })),
});
type Report = z.output<typeof Report>;

const MAX_SHOWN_LINES = 10;
const MAX_SHOWN_LENGTH = 1000;

/** What a run has to say to the caller, and what its rules matched. */
export interface EngineOutput {
  result: ScanResult;
  matches: RuleMatch[];
}

export interface RunFacts {
  target: string;
  isDeep: boolean;
  environment: string;
  runId: string;
}

/** The status of runs that were stopped, as `timeout` uses it. */
const STOPPED_STATUS = 124;

const STOPPED: Partial<Record<ProcessOutcome['end'], { type: string; message: string }>> = {
  time: { type: 'Timeout', message: `The run was stopped after ${MAX_RUN_SECONDS} seconds.` },
  memory: { type: 'OutOfMemory', message: 'The run was stopped because it used too much memory.' },
  output: { type: 'TooManyMatches', message: 'The run was stopped because its report became too large.' },
};

/** Reads what the engine wrote. A run that was stopped or broke has an empty report and says why. */
export function readOutcome(outcome: ProcessOutcome, facts: RunFacts): EngineOutput {
  const { environment, runId } = facts;
  const shared = { run_time: Math.round(outcome.durationMs) / 1000, environment };
  const report = outcome.end === 'exited' ? parseReport(outcome.stdout.toString('utf8')) : undefined;
  if (!report) {
    const message = `The engine ended with status ${outcome.exitCode ?? 'unknown'}: ${firstLineOf(outcome)}`;
    const error = STOPPED[outcome.end] ?? { type: 'EngineError', message };
    const status_code = outcome.end === 'exited' ? outcome.exitCode || STOPPED_STATUS : STOPPED_STATUS;
    const run_error = { ...error, extra: {}, uid: runId };
    return { result: { status_code, output: { results: [], errors: [] }, run_error, ...shared }, matches: [] };
  }
  const [first] = report.errors;
  const status_code = outcome.exitCode ?? STOPPED_STATUS;
  const run_error = status_code !== 0 &&
    first && { message: first.message ?? '', type: typeOf(first.type), extra: first, uid: runId };
  return {
    result: { status_code, output: completeReport(report, facts), ...(run_error && { run_error }), ...shared },
    matches: report.results.map(({ check_id: ruleId, start }) => ({ ruleId, line: start.line })),
  };
}

const MAX_MESSAGE_LENGTH = 500;

const firstLineOf = ({ stderr }: ProcessOutcome): string =>
  stderr.toString('utf8').trim().split('\n', 1)[0]?.slice(0, MAX_MESSAGE_LENGTH) || 'it wrote no report.';

/** The type of an error is a text, or a list that starts with one. */
const typeOf = (type: unknown): string => String(Array.isArray(type) ? type[0] : type);

function parseReport(text: string): Report | undefined {
  try {
    return Report.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Fills in the lines of matches, which the engine leaves out for users without an account at its vendor. */
function completeReport({ time: _, profiling_results: __, ...report }: Report, { target, isDeep }: RunFacts) {
  const lines = target.split('\n');
  const results = report.results.map((result) => {
    const shown = lines.slice(
      result.start.line - 1,
      Math.min(result.end.line, result.start.line + MAX_SHOWN_LINES - 1),
    );
    const { fingerprint: ___, ...extra } = result.extra;
    return { ...result, extra: { ...extra, lines: shown.join('\n').slice(0, MAX_SHOWN_LENGTH) } };
  });
  const deep = {
    level: 'warn',
    type: 'DeepAnalysisUnavailable',
    message: 'The engine of this server analyses one file at a time.',
  };
  return { ...report, results, errors: isDeep ? [...report.errors, deep] : report.errors };
}
