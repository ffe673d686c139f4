import { normalisePath } from '../../identity/report-paths.ts';
import { fingerprintsOf } from '../../identity/tool-ids.ts';
import { nonEmptyTexts, position, text, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportItem, Severity } from '../../report-items.ts';
import type { CsvAdapter } from '../adapter.ts';
import { cwesIn } from '../taxonomy.ts';

const SEVERITIES: Severity[] = ['info', 'low', 'low', 'medium', 'high', 'high'];

/** `flawfinder --csv`; its fingerprint equals the one in its SARIF. */
export function flawfinderCsv(): CsvAdapter {
  let isToolKnown = false;
  return {
    required: ['File', 'Line', 'Column', 'Level', 'Category'],
    *take(row): Iterable<ReportItem> {
      const version = text(row['ToolVersion']);
      if (!isToolKnown && version !== undefined) {
        isToolKnown = true;
        yield { kind: 'tool', name: 'Flawfinder', version };
      }
      const rule = text(row['RuleId']) ?? text(row['Name']);
      if (rule === undefined) return;
      const line = position(row['Line']);
      yield {
        kind: 'finding',
        ...withoutUndefined({
          product: 'sast' as const,
          rule,
          path: normalisePath(row['File'] ?? ''),
          region: { line, column: position(row['Column']), endLine: line, endColumn: 0 },
          message: [text(row['Warning']), text(row['Suggestion'])].filter(Boolean).join(' ') || rule,
          title: [text(row['Category']), text(row['Name'])].filter(Boolean).join('/') || undefined,
          severity: SEVERITIES[Number(row['Level'])],
          category: text(row['Category']),
          cwes: cwesIn([row['CWEs'] ?? '']),
          references: nonEmptyTexts(row['HelpUri']),
          code: text(row['Context']),
          fingerprints: fingerprintsOf({ 'contextHash/v1': row['Fingerprint'] }),
        }),
      };
    },
  };
}
