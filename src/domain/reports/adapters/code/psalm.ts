import { normalisePath } from '../../identity/report-paths.ts';
import { object, objects, position, text } from '../../json/loose-values.ts';
import type { ReportItem, TraceStep } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, regionOf } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const psalm: ReportFormatDefinition = {
  tool: 'Psalm',
  writtenBy: '`psalm --output-format=json`',
  version: '6',
  fixture: 'written',
  reads: 'issues with their code, taint traces as flows',
  results: ['code'],
  severities: { error: 'high', info: 'low' },
  signs: [
    ['[].line_from', '[].type', '[].file_name'],
    ['[].shortcode', '[].selected_text'],
  ],
  reader: {
    json: () => ({
      required: ['$'],
      paths: ['[]'],
      *take({ value }): Iterable<ReportItem> {
        const issue = object(value);
        const steps = objects(issue['taint_trace']).flatMap((step): TraceStep[] => {
          const path = text(step['file_name']);
          if (path === undefined) return [];
          const region = regionOf({ line: step['line_from'], column: step['column_from'], endLine: step['line_to'] });
          return [{ path: normalisePath(path), region, message: text(step['label']) ?? '' }];
        });
        yield codeResult({
          rule: issue['type'],
          file: issue['file_name'],
          line: issue['line_from'],
          endLine: issue['line_to'],
          column: issue['column_from'],
          endColumn: position(issue['column_to']),
          message: issue['message'],
          severity: severityIn(psalm.severities ?? {}, issue['severity']),
          references: issue['link'],
          code: issue['snippet'],
          trace: steps.length > 0 ? [steps] : undefined,
        });
      },
    }),
  },
};
