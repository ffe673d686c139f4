import { object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, inside } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = { blocker: 'critical', critical: 'high', major: 'medium', minor: 'low', info: 'info' } as const;

export const codeQuality: ReportFormatDefinition = {
  tool: 'Code Quality',
  writtenBy: 'GitLab Code Quality, Code Climate, and linters that write its format',
  version: 'GitLab 17',
  fixture: 'written',
  reads: 'issues with their lines and categories',
  results: ['code'],
  ownId: '`fingerprint`',
  severities: SEVERITIES,
  signs: [
    ['[].check_name', '[].location.path'],
    ['[].fingerprint', '[].location.lines', '[].description'],
  ],
  reader: {
    json: () => ({
      required: ['$'],
      paths: ['[]'],
      *take({ value }): Iterable<ReportItem> {
        const issue = object(value);
        const place = inside(issue, 'location');
        yield codeResult({
          // GitLab requires only a description.
          rule: firstWord(issue['check_name']) ?? 'code-quality',
          file: inside(place, 'path'),
          line: inside(place, 'lines', 'begin') ?? inside(place, 'positions', 'begin', 'line'),
          endLine: inside(place, 'lines', 'end') ?? inside(place, 'positions', 'end', 'line'),
          column: inside(place, 'positions', 'begin', 'column'),
          message: issue['description'],
          severity: severityIn(SEVERITIES, issue['severity']),
          category: [issue['categories']].flat()[0],
          fingerprints: { 'code-quality/fingerprint': issue['fingerprint'] },
        });
      },
    }),
  },
};
