import { object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, inside } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

export const tfsec: ReportFormatDefinition = {
  tool: 'tfsec',
  writtenBy: '`tfsec -f json`',
  version: '1.28',
  fixture: 'written',
  reads: 'results that failed, with file, lines and resource',
  results: ['code'],
  signs: [
    ['results[].long_id', 'results[].location'],
    ['results[].rule_provider', 'results[].rule_service'],
  ],
  reader: {
    json: () => ({
      required: ['results$'],
      paths: ['results[]'],
      *take({ value }): Iterable<ReportItem> {
        const result = object(value);
        // 0 is a failure, 1 passed, 2 ignored.
        if (result['status'] === 1) return;
        yield codeResult({
          rule: firstWord(result['long_id'], result['rule_id']),
          file: inside(result, 'location', 'filename'),
          line: inside(result, 'location', 'start_line'),
          endLine: inside(result, 'location', 'end_line'),
          title: result['rule_description'],
          message: [result['description'], result['resolution']].flatMap((part) => text(part) ?? []).join(' '),
          severity: severityOf(result['severity']),
          category: 'infrastructure',
          references: result['links'],
          scope: result['resource'],
          isIgnoredInCode: result['status'] === 2,
        });
      },
    }),
  },
};
