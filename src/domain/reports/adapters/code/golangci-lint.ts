import { object, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, inside } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

export const golangciLint: ReportFormatDefinition = {
  tool: 'golangci-lint',
  writtenBy: '`golangci-lint run --output.json.path`',
  version: '2.1',
  fixture: 'written',
  reads: 'issues with their lines; the rule is the linter',
  results: ['code'],
  signs: [['Issues[].FromLinter'], ['Issues', 'Report']],
  reader: {
    json: () => ({
      required: ['Issues$', 'Report{}'],
      paths: ['Issues[]'],
      *take({ value }): Iterable<ReportItem> {
        const issue = object(value);
        yield codeResult({
          rule: issue['FromLinter'],
          file: inside(issue, 'Pos', 'Filename'),
          line: inside(issue, 'Pos', 'Line'),
          column: inside(issue, 'Pos', 'Column'),
          message: issue['Text'],
          severity: severityOf(issue['Severity']),
          code: texts(issue['SourceLines']).join('\n'),
        });
      },
    }),
  },
};
