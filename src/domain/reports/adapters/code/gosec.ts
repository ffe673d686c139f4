import { normalisePath } from '../../identity/report-paths.ts';
import { list, object, position, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { numberedCode } from '../numbered-code.ts';
import { codeResult, inside, toolItem, word } from '../result-items.ts';
import { confidenceOf, severityOf } from '../taxonomy.ts';

export const gosec: ReportFormatDefinition = {
  tool: 'gosec',
  writtenBy: '`gosec -fmt json`',
  version: '2.20',
  fixture: 'written',
  reads: 'issues with their code, suppressed ones as ignored in code, files that did not compile',
  results: ['code'],
  closes: 'what is missing from the report, except in files that failed',
  signs: [
    ['Golang errors', 'Issues'],
    ['Issues[].rule_id', 'Issues[].details'],
  ],
  reader: {
    json: () => {
      const pathsFailed: string[] = [];
      return {
        required: ['Issues$', 'Golang errors{}'],
        paths: ['GosecVersion', 'Issues[]', 'Golang errors.*'],
        *take({ path, value, key }): Iterable<ReportItem> {
          if (path === 'GosecVersion') yield toolItem('gosec', value);
          else if (path === 'Issues[]') yield issueOf(object(value));
          else if (key && normalisePath(key) !== '') pathsFailed.push(normalisePath(key));
        },
        *finish(): Iterable<ReportItem> {
          if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
        },
      };
    },
  },
};

function issueOf(issue: Record<string, unknown>): ReportItem {
  // A range is written as `12-14`.
  const [line = 0, endLine = line] = (word(issue['line']) ?? '').split('-').map(position);
  return codeResult({
    rule: issue['rule_id'],
    file: issue['file'],
    line,
    endLine,
    column: issue['column'],
    message: issue['details'],
    severity: severityOf(issue['severity']),
    confidence: confidenceOf(issue['confidence']),
    cwes: inside(issue, 'cwe', 'id'),
    references: inside(issue, 'cwe', 'url'),
    ...numberedCode(text(issue['code']) ?? '', line, endLine),
    isIgnoredInCode: issue['nosec'] === true || list(issue['suppressions']).length > 0,
  });
}
