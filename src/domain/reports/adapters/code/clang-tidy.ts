import { normalisePath } from '../../identity/report-paths.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

/** `file:line:column: warning: message [check]`; the file may start with a drive. */
const RESULT = /^((?:[A-Za-z]:)?[^:\n]{1,4096}):(\d{1,9}):(\d{1,9}): (warning|error): (.*) \[([\w.,=-]{1,500})\]$/;
const SOURCE_LINE = /^ *\d* \| (.*)$/;
const SEVERITIES = { error: 'high', warning: 'medium' } as const;

export const clangTidy: ReportFormatDefinition = {
  tool: 'clang-tidy',
  writtenBy: '`clang-tidy`, its text; also warnings of Clang and GCC with their option',
  version: '19',
  fixture: 'written',
  reads: 'warnings and errors with their line of code; the same one in a header is read once',
  results: ['code'],
  closes: 'what is missing from the report, except in files that do not compile',
  severities: SEVERITIES,
  reader: {
    lines: () => {
      const seen = new Set<string>();
      const pathsFailed: string[] = [];
      let result: Parameters<typeof codeResult>[0] | undefined;
      function* flush(): Iterable<ReportItem> {
        if (result) yield codeResult(result);
        result = undefined;
      }
      return {
        pattern: RESULT,
        *take(line): Iterable<ReportItem> {
          const [, file = '', at, column, level, message, checks = ''] = RESULT.exec(line) ?? [];
          if (file === '') {
            const code = SOURCE_LINE.exec(line)?.[1];
            if (result && code !== undefined && code.trim() !== '' && result.code === undefined) result.code = code;
            return;
          }
          yield* flush();
          const rule = checks.split(',').find((name) => !name.startsWith('-warnings-as-errors')) ?? checks;
          if (rule === 'clang-diagnostic-error') pathsFailed.push(normalisePath(file));
          else if (!seen.has(line))
            result = { rule, file, line: at, column, message, severity: severityIn(SEVERITIES, level) };
          seen.add(line);
        },
        *finish(): Iterable<ReportItem> {
          yield* flush();
          if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
        },
      };
    },
  },
};
