import { type LooseObject, object, objects } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, toolItem, word } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  info: 'info',
  trace: 'info',
} as const;

export const kics: ReportFormatDefinition = {
  tool: 'KICS',
  writtenBy: '`kics scan --report-formats json`',
  version: '2.1',
  fixture: 'written',
  reads: 'queries with each file, line and resource they found; files that failed make the scan incomplete',
  results: ['code'],
  ownId: '`similarity_id`',
  closes: 'what is missing from the report, if no file failed',
  severities: SEVERITIES,
  signs: [
    ['kics_version', 'queries'],
    ['queries[].query_id', 'queries[].files[]'],
  ],
  reader: {
    json: () => {
      let failed = 0;
      return {
        required: ['queries$', 'kics_version'],
        paths: ['kics_version', 'files_failed_to_scan', 'queries[]'],
        *take({ path, value }): Iterable<ReportItem> {
          if (path === 'kics_version') yield toolItem('KICS', value);
          else if (path === 'queries[]') yield* queryOf(object(value));
          else failed = Number(word(value) ?? 0);
        },
        *finish(): Iterable<ReportItem> {
          if (failed > 0) yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};

function* queryOf(query: LooseObject): Iterable<ReportItem> {
  for (const file of objects(query['files'])) {
    const resource = [file['resource_type'], file['resource_name']].flatMap((part) => word(part) ?? []).join('.');
    yield codeResult({
      rule: query['query_id'],
      file: file['file_name'],
      line: file['line'],
      title: query['query_name'],
      message: firstWord(file['actual_value'], query['description']),
      severity: severityIn(SEVERITIES, query['severity']),
      category: query['category'],
      cwes: query['cwe'],
      references: query['query_url'],
      scope: firstWord(resource, file['search_key']),
      fingerprints: { 'kics/similarity': file['similarity_id'] },
    });
  }
}
