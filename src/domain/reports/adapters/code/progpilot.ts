import { normalisePath } from '../../identity/report-paths.ts';
import { list, object, text, texts } from '../../json/loose-values.ts';
import type { ReportItem, TraceStep } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, regionOf, word } from '../result-items.ts';

export const progpilot: ReportFormatDefinition = {
  tool: 'Progpilot',
  writtenBy: '`progpilot`',
  version: '1.0',
  fixture: 'written',
  reads: 'vulnerabilities at their sink, with the sources as a flow',
  results: ['code'],
  ownId: '`vuln_id`',
  severities: { '(any)': 'high' },
  signs: [
    ['[].vuln_name', '[].vuln_id'],
    ['[].vuln_name', '[].sink_file'],
  ],
  reader: {
    json: () => ({
      required: ['$'],
      paths: ['[]'],
      *take({ value }): Iterable<ReportItem> {
        const found = object(value);
        const files = texts(found['source_file']);
        const lines = [found['source_line']].flat();
        const sources = list(found['source_name']).flatMap((name, at): TraceStep[] => {
          const path = files[at];
          return path === undefined
            ? []
            : [{ path: normalisePath(path), region: regionOf({ line: lines[at] }), message: text(name) ?? '' }];
        });
        yield codeResult({
          rule: found['vuln_name'],
          file: found['sink_file'] ?? found['vuln_file'] ?? files[0],
          // `sink_column` counts from the start of the file, so it is no column.
          line: found['sink_line'] ?? found['vuln_line'] ?? lines[0],
          title: found['vuln_name'],
          message: `${word(found['vuln_name'])} in ${firstWord(found['sink_name'], found['vuln_type']) ?? 'code'}`,
          severity: 'high',
          cwes: text(found['vuln_cwe']),
          trace: sources.length > 0 ? [sources] : undefined,
          fingerprints: { 'progpilot/id': found['vuln_id'] },
        });
      },
    }),
  },
};
