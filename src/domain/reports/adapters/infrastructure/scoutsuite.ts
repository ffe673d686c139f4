import { object, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { firstWord, resourceResult, toolItem, word } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

export const scoutsuite: ReportFormatDefinition = {
  tool: 'Scout Suite',
  writtenBy: '`scout`, `scoutsuite-results/scoutsuite_results_*.js`',
  version: '5.14',
  fixture: 'written',
  reads: 'findings with the path of each flagged item',
  results: ['resource'],
  severities: { danger: 'high', warning: 'medium', good: 'info' },
  signs: [
    ['provider_code', 'services'],
    ['provider_name', 'last_run.ruleset_name'],
    ['account_id', 'services'],
  ],
  reader: {
    json: () => ({
      prefix: /^\s*scoutsuite_results\s*=\s*/,
      required: ['services{}', 'provider_code'],
      paths: ['last_run.version', 'services.*.findings.*'],
      *take({ path, value, key }): Iterable<ReportItem> {
        if (path === 'last_run.version') yield toolItem('Scout Suite', value);
        else {
          const finding = object(value);
          for (const item of texts(finding['items']))
            yield resourceResult({
              rule: key,
              // The last part of the path names what is wrong with the item.
              resource: item.replace(/\.[^.]*$/, ''),
              scope: item.split('.').at(-1),
              title: finding['description'],
              message: firstWord(finding['rationale'], finding['description']),
              severity: severityIn(scoutsuite.severities ?? {}, finding['level']),
              category: word(finding['service'])?.toLowerCase(),
              references: finding['references'],
            });
        }
      },
    }),
  },
};
