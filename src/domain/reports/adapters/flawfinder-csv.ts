import type { CsvAdapter } from '../adapter.ts';
import { tidyPath } from '../paths.ts';
import { position, present, someTexts, text } from '../reading.ts';
import type { Reported, Severity } from '../reported.ts';
import { fingerprintsOf } from '../tool-ids.ts';
import { cwesIn } from '../weakness.ts';

const SEVERITIES: Severity[] = ['info', 'low', 'low', 'medium', 'high', 'high'];

/** `flawfinder --csv`; its fingerprint is the one that its SARIF has. */
export function flawfinderCsv(): CsvAdapter {
  let isToolKnown = false;
  return {
    required: ['File', 'Line'],
    *take(row): Iterable<Reported> {
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
        ...present({
          product: 'sast' as const,
          rule,
          path: tidyPath(row['File'] ?? ''),
          region: { line, column: position(row['Column']), endLine: line, endColumn: 0 },
          message: [text(row['Warning']), text(row['Suggestion'])].filter(Boolean).join(' ') || rule,
          title: [text(row['Category']), text(row['Name'])].filter(Boolean).join('/') || undefined,
          severity: SEVERITIES[Number(row['Level'])],
          category: text(row['Category']),
          cwes: cwesIn([row['CWEs'] ?? '']),
          references: someTexts(row['HelpUri']),
          code: text(row['Context']),
          fingerprints: fingerprintsOf({ 'contextHash/v1': row['Fingerprint'] }),
        }),
      };
    },
  };
}
