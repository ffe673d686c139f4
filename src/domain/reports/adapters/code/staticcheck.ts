import { normalisePath } from '../../identity/report-paths.ts';
import { text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, inside } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const staticcheck: ReportFormatDefinition = {
  tool: 'staticcheck',
  writtenBy: '`staticcheck -f json`',
  version: '2026.2',
  fixture: 'recorded',
  reads: 'one problem a line, ignored ones as ignored in code; files and packages that do not compile',
  results: ['code'],
  closes: 'what is missing from the report, except in files that failed; nothing if a package failed',
  severities: { error: 'medium', warning: 'low', ignored: 'low' },
  signs: [
    ['code', 'severity', 'location.file', 'message'],
    ['[].code', '[].severity', '[].location.file', '[].message'],
  ],
  reader: {
    jsonLines: () => {
      const pathsFailed: string[] = [];
      return {
        members: ['code'],
        canBeEmpty: true,
        *take(problem): Iterable<ReportItem> {
          const file = inside(problem, 'location', 'file');
          if (problem['code'] === 'compile') {
            const path = normalisePath(text(file) ?? '');
            if (path === '') yield { kind: 'coverage', isIncomplete: true };
            else pathsFailed.push(path);
            return;
          }
          yield codeResult({
            rule: problem['code'],
            file,
            line: inside(problem, 'location', 'line'),
            column: inside(problem, 'location', 'column'),
            endLine: inside(problem, 'end', 'line'),
            endColumn: inside(problem, 'end', 'column'),
            message: problem['message'],
            severity: severityIn(staticcheck.severities ?? {}, problem['severity']),
            isIgnoredInCode: problem['severity'] === 'ignored',
          });
        },
        *finish(): Iterable<ReportItem> {
          if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
        },
      };
    },
  },
};
