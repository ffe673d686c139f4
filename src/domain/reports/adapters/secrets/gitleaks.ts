import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { secretResult } from '../result-items.ts';

/** Written instead of the secret with `--redact`. */
const REDACTED = /^(REDACTED|\*+|.{0,8}\.\.\.)$/;

export const gitleaks: ReportFormatDefinition = {
  tool: 'Gitleaks',
  writtenBy: '`gitleaks git|dir -f json`, Betterleaks',
  version: '8.30',
  fixture: 'recorded',
  reads: 'leaks with rule, file, lines and value; a redacted value is identified by its place',
  results: ['secret'],
  severities: { '(any)': 'high' },
  signs: [['[].RuleID', '[].Secret', '[].File']],
  reader: {
    jsonLines: () => ({
      members: ['RuleID'],
      canBeEmpty: true,
      *take(leak): Iterable<ReportItem> {
        const value = leak['Secret'];
        yield secretResult({
          rule: leak['RuleID'],
          file: leak['File'],
          line: leak['StartLine'],
          endLine: leak['EndLine'],
          column: leak['StartColumn'],
          title: leak['Description'],
          severity: 'high',
          value: typeof value === 'string' && REDACTED.test(value) ? undefined : value,
          code: leak['Match'],
        });
      },
    }),
  },
};
