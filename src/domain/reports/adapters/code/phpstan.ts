import { object, objects } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord } from '../result-items.ts';

export const phpstan: ReportFormatDefinition = {
  tool: 'PHPStan',
  writtenBy: '`phpstan analyse --error-format=json`',
  version: '2.1',
  fixture: 'written',
  reads: 'messages by file; errors without a file make the scan incomplete',
  results: ['code'],
  closes: 'what is missing from the report, if it has no general errors',
  severities: { '(any)': 'medium' },
  signs: [['totals.file_errors', 'files']],
  reader: {
    json: () => {
      let hasErrors = false;
      return {
        required: ['totals.file_errors#'],
        paths: ['files.*', 'errors[]'],
        *take({ path, value, key }): Iterable<ReportItem> {
          if (path === 'errors[]') hasErrors = true;
          else
            for (const message of objects(object(value)['messages']))
              yield codeResult({
                // PHPStan 1.10 and earlier name no rule.
                rule: firstWord(message['identifier']) ?? 'phpstan',
                // Errors in a trait are reported as `file (in context of class …)`.
                file: key?.replace(/ \(in context of .*\)$/, ''),
                line: message['line'],
                message: message['message'],
                severity: 'medium',
              });
        },
        *finish(): Iterable<ReportItem> {
          if (hasErrors) yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};
