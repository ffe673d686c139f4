import { object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { secretResult, toolItem, word } from '../result-items.ts';

export const detectSecrets: ReportFormatDefinition = {
  tool: 'detect-secrets',
  writtenBy: '`detect-secrets scan`, the baseline',
  version: '1.5',
  fixture: 'recorded',
  reads: 'secrets by file, with the hash of the value; those that an audit found to be none are left out',
  results: ['secret'],
  severities: { '(any)': 'high' },
  signs: [
    ['plugins_used[]', 'results'],
    ['plugins_used[]', 'filters_used[]'],
  ],
  reader: {
    json: () => ({
      required: ['plugins_used$'],
      paths: ['version', 'results.*[]'],
      *take({ path, value, key }): Iterable<ReportItem> {
        const found = object(value);
        if (path === 'version') yield toolItem('detect-secrets', value);
        else if (found['is_secret'] !== false)
          yield secretResult({
            rule: found['type'],
            file: word(found['filename']) ?? key,
            line: found['line_number'],
            title: found['type'],
            severity: 'high',
            valueDigest: found['hashed_secret'],
            validation: found['is_verified'] === true ? 'confirmed_valid' : 'no_validator',
          });
      },
    }),
  },
};
