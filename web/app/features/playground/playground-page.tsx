import { NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { CodeEditor } from './code-editor.tsx';
import { marksOf, matchesOf } from './engine-report.ts';
import { engineQuery, runQuery } from './queries.ts';
import { RunResult } from './run-result.tsx';
import { SaveRule } from './save-rule.tsx';
import './playground.css';

const FIRST_RULE = `rules:
  - id: same-on-both-sides
    pattern: $X == $X
    message: Both sides of the comparison are the same.
    languages: [python]
    severity: WARNING
`;
const FIRST_CODE = `# ruleid: same-on-both-sides
if total == total:
    pass

# ok: same-on-both-sides
if total == limit:
    pass
`;
const LANGUAGES = (
  'bash c cpp csharp dart dockerfile elixir generic go html java javascript json kotlin lua php python r regex ruby ' +
  'rust scala solidity swift terraform typescript xml yaml'
).split(' ');
const RUN_AFTER_MS = 500;
const MAX_RULE_LENGTH = 64 * 1024;
const MAX_CODE_LENGTH = 1024 * 1024;

/** Tries a rule on code: both are run on the server whenever they have not changed for a moment. */
export function PlaygroundPage() {
  const engine = useQuery(engineQuery);
  if (engine.error)
    return (
      <Page title="Playground">
        <ProblemView error={engine.error} onRetry={() => void engine.refetch()} />
      </Page>
    );
  if (!engine.data)
    return (
      <Page title="Playground">
        <LoadingRows rows={4} height={48} />
      </Page>
    );
  if (!engine.data.isAvailable)
    return (
      <Page title="Playground">
        <EmptyState
          title="This server cannot run rules"
          why={`Why: ${engine.data.reason}. The operator can install semgrep, as the guide “Playground” describes.`}
          command="pip install semgrep"
        />
      </Page>
    );
  return <Playground version={engine.data.version} />;
}

function Playground({ version }: { version: string }) {
  const [rule, setRule] = useState(FIRST_RULE);
  const [code, setCode] = useState(FIRST_CODE);
  const [language, setLanguage] = useState('python');
  const hasRules = /^\s*(\{\s*)?["']?rules["']?\s*:/m.test(rule);
  const [input] = useDebouncedValue({ pattern: rule, target: code, language }, RUN_AFTER_MS);
  const run = useQuery(runQuery(input));
  const isCurrent = input.target === code && input.pattern === rule && !run.isPlaceholderData;
  const marks =
    run.data && isCurrent ? marksOf(matchesOf(run.data.scan_result.output), run.data.test_result) : undefined;
  return (
    <Page
      title="Playground"
      isWide
      aside={<span className="dimmed">semgrep {version}</span>}
      actions={hasRules && <SaveRule rule={rule} code={code} />}
    >
      <div className="playground">
        <div>
          <CodeEditor label="Rule or pattern" value={rule} onChange={setRule} maxLength={MAX_RULE_LENGTH} />
          {!hasRules && (
            <NativeSelect
              label="Language of the pattern"
              data={LANGUAGES}
              value={language}
              onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
            />
          )}
        </div>
        <CodeEditor
          label="Code"
          value={code}
          onChange={setCode}
          maxLength={MAX_CODE_LENGTH}
          {...(marks && { marks })}
        />
        <section className="playground-result" aria-label="Result" aria-busy={run.isFetching}>
          <h2>Result</h2>
          {run.error ? <ProblemView error={run.error} onRetry={() => void run.refetch()} /> : null}
          {run.data && !run.error ? <RunResult run={run.data} /> : null}
          {!run.data && !run.error && <p className="dimmed">Write a rule or a pattern, and code to run it on.</p>}
        </section>
      </div>
    </Page>
  );
}
