import { object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { gitlabFacts, gitlabScan } from '../gitlab-report.ts';
import { codeResult, firstWord } from '../result-items.ts';

/** The first place in a stack trace: `at file.c:12:5`, `file.go:12` or `File "x.py", line 12`. */
const PLACE = /([\w./+-]{1,500}\.[a-z]{1,5}(?:x{2})?)(?:", line |:)(\d{1,9})/i;

const MAX_TRACE_LENGTH = 20_000;

export const gitlabFuzzing: ReportFormatDefinition = {
  tool: 'unknown',
  writtenBy: 'GitLab coverage-guided fuzzing',
  version: '15.2',
  fixture: 'written',
  reads: 'crashes with their type, state and stack trace; the first place of the trace is the file',
  results: ['code'],
  ownId: 'type and state of the crash',
  closes: 'what is missing from the report, if its `status` is `success`',
  signs: [['vulnerabilities[]', ['scan.type', /^coverage_fuzzing$/]]],
  reader: {
    json: () =>
      gitlabScan(function* (value): Iterable<ReportItem> {
        const location = object(value['location']);
        const trace = text(location['stacktrace_snippet'])?.slice(0, MAX_TRACE_LENGTH) ?? '';
        const [, file, line] = PLACE.exec(trace) ?? [];
        const { identifiers, ...facts } = gitlabFacts(value);
        const type = firstWord(location['crash_type'], identifiers[0]?.value);
        const state = firstWord(location['crash_state']);
        yield codeResult({
          ...facts,
          rule: type,
          file,
          line,
          scope: state,
          fingerprints: { 'gitlab/crash': state === undefined ? undefined : `${type}|${state}` },
        });
      }),
  },
};
