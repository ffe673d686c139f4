/** What the page reads of a report of the engine; the API passes reports on as they are. */
export interface EngineMatch {
  /** The number of the match: a rule may match a line more than once. */
  key: number;
  ruleId: string;
  line: number;
  endLine: number;
  message: string;
  lines: string;
  fix: string;
}

export interface EngineProblem {
  message: string;
  isError: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(membersOf) : []);
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const matchesOf = (output: Record<string, unknown>): EngineMatch[] =>
  listOf(output['results']).map((result, key) => {
    const extra = membersOf(result['extra']);
    return {
      key,
      ruleId: textOf(result['check_id']),
      line: numberOf(membersOf(result['start'])['line']),
      endLine: numberOf(membersOf(result['end'])['line']),
      message: textOf(extra['message']),
      lines: textOf(extra['lines']),
      fix: textOf(extra['fix']),
    };
  });

export const problemsOf = (output: Record<string, unknown>): EngineProblem[] =>
  listOf(output['errors']).map(({ message, level }) => ({ message: textOf(message), isError: level === 'error' }));

export type LineMark = 'passed' | 'failed' | 'todo' | 'match';

interface RuleTest {
  line_no: number;
  status: string;
}

/** What stands beside each line of code: the result of its tests, or else that a rule matches it. */
export function marksOf(matches: readonly EngineMatch[], tests: readonly RuleTest[]): Map<number, LineMark> {
  const marks = new Map<number, LineMark>(matches.map(({ line }) => [line, 'match']));
  const rank = ['passed', 'todo', 'failed'];
  for (const { line_no: line, status } of tests) {
    const shown = marks.get(line);
    const isWorse = shown === undefined || shown === 'match' || rank.indexOf(status) > rank.indexOf(shown);
    if (rank.includes(status) && isWorse) marks.set(line, status as LineMark);
  }
  return marks;
}
