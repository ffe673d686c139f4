import { normalisePath } from '../../identity/report-paths.ts';
import { object, objects, position, text } from '../../json/loose-values.ts';
import type { ReportItem, TraceStep } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, regionOf } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const infer: ReportFormatDefinition = {
  tool: 'Infer',
  writtenBy: '`infer run`, `infer-out/report.json`',
  version: '1.2',
  fixture: 'written',
  reads: 'bugs with procedure and trace',
  results: ['code'],
  ownId: '`hash`',
  severities: { error: 'high', warning: 'medium', advice: 'low', info: 'info', like: 'info' },
  signs: [['[].bug_type', '[].qualifier', '[].file']],
  reader: {
    json: () => ({
      required: ['$'],
      paths: ['[]'],
      *take({ value }): Iterable<ReportItem> {
        const bug = object(value);
        const steps = objects(bug['bug_trace']).map((step): TraceStep => {
          const message = text(step['description']);
          const region = regionOf({ line: step['line_number'], column: step['column_number'] });
          return { path: normalisePath(text(step['filename']) ?? ''), region, ...(message && { message }) };
        });
        yield codeResult({
          rule: bug['bug_type'],
          file: bug['file'],
          line: bug['line'],
          column: position(bug['column']),
          title: bug['bug_type_hum'],
          message: bug['qualifier'],
          severity: severityIn(infer.severities ?? {}, bug['severity']),
          category: bug['category'],
          scope: bug['procedure'],
          trace: steps.length > 1 ? [steps] : undefined,
          fingerprints: { 'infer/hash': bug['hash'] },
        });
      },
    }),
  },
};
