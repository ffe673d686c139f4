import { type LooseObject, number, object, position, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, inside, word } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = {
  blocker: 'critical',
  critical: 'high',
  major: 'medium',
  minor: 'low',
  info: 'info',
  high: 'high',
  medium: 'medium',
  low: 'low',
} as const;
const REASONS: Record<string, 'false_positive' | 'acceptable_risk'> = {
  'FALSE-POSITIVE': 'false_positive',
  WONTFIX: 'acceptable_risk',
  SAFE: 'false_positive',
  ACKNOWLEDGED: 'acceptable_risk',
};

export const sonarqube: ReportFormatDefinition = {
  tool: 'SonarQube',
  writtenBy: 'SonarQube, `GET /api/issues/search` and `GET /api/hotspots/search`',
  version: '10.8',
  fixture: 'written',
  reads: 'issues and hotspots; false positives and accepted ones as ignored; fixed ones are not findings',
  results: ['code', 'decision'],
  ownId: '`key`',
  closes: 'what is missing from the report, if it is not one page of several',
  severities: SEVERITIES,
  signs: [
    ['issues[].rule', 'issues[].component'],
    ['paging', 'issues[]', 'components'],
    ['hotspots[].ruleKey'],
    ['paging', 'hotspots[]'],
  ],
  reader: {
    json: () => {
      let [total, count] = [0, 0];
      return {
        required: ['issues$', 'hotspots$'],
        paths: ['paging.total', 'issues[]', 'hotspots[]'],
        *take({ path, value }): Iterable<ReportItem> {
          if (path === 'paging.total') total = number(value) ?? 0;
          else {
            count++;
            yield* issueOf(object(value));
          }
        },
        *finish(): Iterable<ReportItem> {
          if (total <= count) return;
          yield { kind: 'warning', message: `The report has ${count} of ${total} issues; no findings are closed.` };
          yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};

function* issueOf(issue: LooseObject): Iterable<ReportItem> {
  const resolution = word(issue['resolution']) ?? '';
  const reason = Object.hasOwn(REASONS, resolution) ? REASONS[resolution] : undefined;
  if (resolution !== '' && reason === undefined) return;
  const range = object(issue['textRange']);
  // The key of a component is that of its project, a colon and the path.
  const component = text(issue['component']) ?? '';
  const item = codeResult({
    rule: firstWord(issue['rule'], issue['ruleKey']),
    file: component.slice(component.indexOf(':') + 1),
    line: range['startLine'] ?? issue['line'],
    endLine: range['endLine'],
    column: position((number(range['startOffset']) ?? -1) + 1),
    endColumn: position((number(range['endOffset']) ?? -1) + 1),
    message: issue['message'],
    severity: severityIn(SEVERITIES, firstWord(issue['severity'], issue['vulnerabilityProbability'])),
    category: firstWord(issue['type'], issue['securityCategory'])?.toLowerCase(),
    fingerprints: { 'sonarqube/key': inside(issue, 'key') },
  });
  yield item;
  if (item.kind === 'finding' && reason) yield { kind: 'decision', source: 'sarif', state: 'ignored', reason };
}
