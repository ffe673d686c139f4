import { object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const hadolint: ReportFormatDefinition = {
  tool: 'Hadolint',
  writtenBy: '`hadolint -f json`',
  version: '2.12',
  fixture: 'written',
  reads: 'problems of Dockerfiles',
  results: ['code'],
  severities: { error: 'high', warning: 'medium', info: 'low', style: 'info' },
  signs: [['[].code', '[].level', '[].file', '[].line']],
  reader: {
    json: () => ({
      required: ['$'],
      paths: ['[]'],
      *take({ value }): Iterable<ReportItem> {
        const found = object(value);
        yield codeResult({
          rule: found['code'],
          file: found['file'],
          line: found['line'],
          column: found['column'],
          message: found['message'],
          severity: severityIn(hadolint.severities ?? {}, found['level']),
        });
      },
    }),
  },
};
