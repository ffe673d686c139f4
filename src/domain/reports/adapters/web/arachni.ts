import { object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { endpointResult, firstWord, inside, toolItem } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

export const arachni: ReportFormatDefinition = {
  tool: 'Arachni',
  writtenBy: '`arachni_reporter --reporter=json`',
  version: '1.6',
  fixture: 'written',
  reads: 'issues with address, method, input and proof',
  results: ['endpoint'],
  signs: [
    ['issues[].vector', 'issues[].check'],
    ['sitemap', 'issues[]', 'plugins'],
  ],
  reader: {
    json: () => ({
      required: ['issues$'],
      paths: ['version', 'issues[]'],
      *take({ path, value }): Iterable<ReportItem> {
        const issue = object(value);
        const vector = object(issue['vector']);
        if (path === 'version') yield toolItem('Arachni', value);
        else
          yield endpointResult({
            rule: firstWord(inside(issue, 'check', 'shortname'), issue['name']),
            url: firstWord(vector['action'], vector['url']),
            method: vector['method'],
            parameter: vector['affected_input_name'],
            evidence: firstWord(issue['proof'], issue['signature']),
            title: issue['name'],
            message: issue['description'],
            severity: severityOf(issue['severity']),
            confidence: issue['trusted'] === false ? 'low' : undefined,
            cwes: issue['cwe'],
            references: Object.values(object(issue['references'])),
          });
      },
    }),
  },
};
