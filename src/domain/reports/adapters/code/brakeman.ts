import { type LooseObject, object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, inside, toolItem, word } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const brakeman: ReportFormatDefinition = {
  tool: 'Brakeman',
  writtenBy: '`brakeman -f json`',
  version: '7.0',
  fixture: 'written',
  reads: 'warnings with class and method, ignored ones as ignored with their note, errors',
  results: ['code', 'decision'],
  ownId: '`fingerprint`',
  closes: 'what is missing from the report, if it has no errors',
  severities: { high: 'high', medium: 'medium', weak: 'low' },
  signs: [
    ['scan_info', 'warnings[]', 'ignored_warnings'],
    ['warnings[].warning_type', 'warnings[].check_name'],
  ],
  reader: {
    json: () => {
      let hasErrors = false;
      return {
        required: ['warnings$'],
        paths: ['scan_info.brakeman_version', 'warnings[]', 'ignored_warnings[]', 'errors[]'],
        *take({ path, value }): Iterable<ReportItem> {
          if (path === 'scan_info.brakeman_version') yield toolItem('Brakeman', value);
          else if (path === 'errors[]') hasErrors = true;
          else {
            yield warningOf(object(value));
            const note = word(object(value)['note']);
            if (path === 'ignored_warnings[]')
              yield { kind: 'decision', source: 'sarif', state: 'ignored', ...(note && { note }) };
          }
        },
        *finish(): Iterable<ReportItem> {
          if (hasErrors) yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};

function warningOf(warning: LooseObject): ReportItem {
  const place = [inside(warning, 'location', 'class'), inside(warning, 'location', 'method')];
  return codeResult({
    rule: warning['check_name'],
    file: warning['file'],
    line: warning['line'],
    title: warning['warning_type'],
    message: warning['message'],
    severity: severityIn(brakeman.severities ?? {}, warning['confidence']),
    cwes: warning['cwe_id'],
    references: warning['link'],
    code: warning['code'],
    scope: place.flatMap((name) => text(name) ?? []).join('.'),
    fingerprints: { 'brakeman/fingerprint': warning['fingerprint'] },
  });
}
