import { type LooseObject, object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, inside } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = { critical: 'critical', high: 'high', medium: 'medium', low: 'low', warning: 'info' } as const;
const LEVELS = Object.keys(SEVERITIES);

export const bearer: ReportFormatDefinition = {
  tool: 'Bearer',
  writtenBy: '`bearer scan --format json`, `jsonv2`',
  version: '1.49',
  fixture: 'written',
  reads: 'findings by severity, with their code',
  results: ['code'],
  ownId: '`fingerprint`',
  severities: SEVERITIES,
  signs: [
    ...LEVELS.map((level) => [`${level}[].full_filename`, `${level}[].cwe_ids`]),
    ['findings[].full_filename', 'findings[].cwe_ids'],
  ],
  reader: {
    json: () => ({
      required: [...LEVELS.map((level) => `${level}$`), 'findings$'],
      paths: [...LEVELS.map((level) => `${level}[]`), 'findings[]'],
      *take({ path, value }): Iterable<ReportItem> {
        yield findingOf(object(value), path.slice(0, -2));
      },
    }),
  },
};

const findingOf = (found: LooseObject, level: string): ReportItem =>
  codeResult({
    rule: found['id'],
    file: firstWord(found['filename'], found['full_filename']),
    line: found['line_number'],
    endLine: inside(found, 'sink', 'end'),
    column: inside(found, 'sink', 'column', 'start'),
    endColumn: inside(found, 'sink', 'column', 'end'),
    title: found['title'],
    message: found['description'],
    severity: severityIn(SEVERITIES, level === 'findings' ? found['severity'] : level),
    cwes: found['cwe_ids'],
    references: found['documentation_url'],
    code: firstWord(found['code_extract'], inside(found, 'sink', 'content')),
    // The last part numbers equal findings of a file.
    fingerprints: { 'bearer/fingerprint': firstWord(found['fingerprint']) },
  });
