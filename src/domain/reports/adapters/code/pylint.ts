import { normalisePath } from '../../identity/report-paths.ts';
import { number, object, position, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const pylint: ReportFormatDefinition = {
  tool: 'Pylint',
  writtenBy: '`pylint --output-format=json2`, `json`',
  version: '4.0',
  fixture: 'recorded',
  reads: 'messages with module and function; files that do not parse',
  results: ['code'],
  closes: 'what is missing from the report, except in files that failed',
  severities: { fatal: 'high', error: 'high', warning: 'medium', refactor: 'low', convention: 'low', info: 'info' },
  signs: [
    ['messages[].symbol', 'statistics'],
    ['messages[]', 'statistics.messageTypeCount'],
    ['[].symbol', '[].message-id'],
  ],
  reader: {
    json: () => {
      const pathsFailed: string[] = [];
      return {
        required: ['messages$', '$'],
        paths: ['messages[]', '[]'],
        *take({ value }): Iterable<ReportItem> {
          const found = object(value);
          const column = (name: string) => position((number(found[name]) ?? -1) + 1);
          if (found['symbol'] === 'syntax-error' || found['type'] === 'fatal') {
            const path = normalisePath(text(found['path']) ?? '');
            if (path !== '') pathsFailed.push(path);
          } else
            yield codeResult({
              rule: firstWord(found['messageId'], found['message-id']),
              file: found['path'],
              line: found['line'],
              endLine: found['endLine'],
              column: column('column'),
              endColumn: column('endColumn'),
              title: found['symbol'],
              message: found['message'],
              severity: severityIn(pylint.severities ?? {}, found['type']),
              scope: found['obj'],
            });
        },
        *finish(): Iterable<ReportItem> {
          if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
        },
      };
    },
  },
};
