import { object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const SKIPPED = 'results.skipped_violations[]';

export const terrascan: ReportFormatDefinition = {
  tool: 'Terrascan',
  writtenBy: '`terrascan scan -o json`',
  version: '1.19',
  fixture: 'written',
  reads: 'violations with file, line and resource, skipped ones as ignored in code, errors',
  results: ['code'],
  closes: 'what is missing from the report, if it has no errors',
  signs: [['results.violations'], ['results.scan_summary', 'results.scan_summary.policies_validated']],
  reader: {
    json: () => {
      let hasErrors = false;
      return {
        required: ['results.violations$', 'results.scan_summary{}'],
        paths: ['results.violations[]', SKIPPED, 'results.scan_errors[]'],
        *take({ path, value }): Iterable<ReportItem> {
          const found = object(value);
          if (path === 'results.scan_errors[]') hasErrors = true;
          else
            yield codeResult({
              rule: found['rule_id'],
              file: found['file'],
              line: found['line'],
              title: found['rule_name'],
              message: found['description'],
              severity: severityOf(found['severity']),
              category: found['category'],
              scope: [found['resource_type'], found['resource_name']].flatMap((part) => word(part) ?? []).join('.'),
              isIgnoredInCode: path === SKIPPED && text(found['rule_id']) !== undefined,
            });
        },
        *finish(): Iterable<ReportItem> {
          if (hasErrors) yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};
