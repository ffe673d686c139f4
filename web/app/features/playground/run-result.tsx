import { matchesOf, problemsOf } from './engine-report.ts';
import type { RuleRun } from './queries.ts';

const STATUS_NAMES: Record<string, string> = { passed: 'Passed', failed: 'Failed', todo: 'To do' };
const rangeOf = (line: number, endLine: number) => (endLine > line ? `Lines ${line}–${endLine}` : `Line ${line}`);
const countText = (count: number) => (count === 1 ? '1 match' : `${count} matches`);

/** The result of a run: tests of the rule, matches, and what the engine complains about. */
export function RunResult({ run }: { run: RuleRun }) {
  const { scan_result: result, test_result: tests } = run;
  const matches = matchesOf(result.output);
  const failed = tests.filter(({ status }) => status === 'failed').length;
  if (result.run_error)
    return (
      <div role="alert" className="playground-error">
        <h3>The rule cannot be run</h3>
        <pre>{result.run_error.message}</pre>
      </div>
    );
  return (
    <>
      <p role="status">
        {countText(matches.length)} in {result.run_time.toFixed(1)} s
        {tests.length > 0 && `; ${failed === 0 ? 'all tests pass' : `${failed} of ${tests.length} tests fail`}`}
      </p>
      {tests.length > 0 && (
        <>
          <h3>Tests</h3>
          <ul className="playground-list">
            {tests.map(({ line_no: line, rule_id: ruleId, status, must_match: mustMatch, message }) => (
              <li key={`${line} ${ruleId} ${String(mustMatch)}`} data-status={status}>
                <strong>{STATUS_NAMES[status] ?? status}</strong> Line {line}, {ruleId}: {message}
              </li>
            ))}
          </ul>
        </>
      )}
      {matches.length > 0 && <h3>Matches</h3>}
      <ul className="playground-list">
        {matches.map(({ key, ruleId, line, endLine, message, lines, fix }) => (
          <li key={key}>
            <strong>{rangeOf(line, endLine)}</strong> {message}
            {ruleId !== '-' && <span className="dimmed"> ({ruleId})</span>}
            <pre>{lines}</pre>
            {fix !== '' && <pre className="playground-fix">{fix}</pre>}
          </li>
        ))}
      </ul>
      <Problems output={result.output} />
    </>
  );
}

function Problems({ output }: { output: Record<string, unknown> }) {
  const texts = [...new Set(problemsOf(output).map(({ message }) => message))].filter((text) => text !== '');
  if (texts.length === 0) return null;
  return (
    <>
      <h3>Warnings</h3>
      <ul className="playground-list">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}
