import { object, text, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { endpointResult, firstWord, inside } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

export const nuclei: ReportFormatDefinition = {
  tool: 'Nuclei',
  writtenBy: '`nuclei -jsonl`, `-json-export`',
  version: '3.3',
  fixture: 'written',
  reads: 'matches of templates with address, matcher, extracted results and classification',
  results: ['endpoint'],
  signs: [
    ['template-id', 'info', 'matched-at'],
    ['[].template-id', '[].info'],
    ['template-id', 'info.severity'],
  ],
  reader: {
    jsonLines: () => ({
      members: ['template-id'],
      canBeEmpty: true,
      *take(match): Iterable<ReportItem> {
        const info = object(match['info']);
        const classes = object(info['classification']);
        yield endpointResult({
          rule: match['template-id'],
          url: firstWord(match['matched-at'], match['host']),
          parameter: firstWord(match['matcher-name'], match['extractor-name']),
          evidence: texts(match['extracted-results']).join(', '),
          title: info['name'],
          message: firstWord(info['description'], info['name']),
          severity: severityOf(info['severity']),
          category: match['type'],
          cwes: classes['cwe-id'],
          references: [...texts(info['reference']), ...texts(inside(classes, 'cve-id')).map(cveUrl)],
          fix: text(info['remediation']),
        });
      },
    }),
  },
};

const cveUrl = (id: string) => `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(id.toUpperCase())}`;
