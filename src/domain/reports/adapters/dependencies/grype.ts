import { type LooseObject, object, objects } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { ecosystemOf, packageOfPurl } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, firstWord, inside, toolItem } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

export const grype: ReportFormatDefinition = {
  tool: 'Grype',
  writtenBy: '`grype -o json`',
  version: '0.85',
  fixture: 'written',
  reads: 'matches with their related vulnerabilities, fixes and locations',
  results: ['component'],
  signs: [
    ['matches[].vulnerability', 'matches[].artifact'],
    ['matches[]', ['descriptor.name', /^grype$/]],
  ],
  reader: {
    json: ({ reportName }) => ({
      required: ['matches$'],
      paths: ['matches[]', 'descriptor.version'],
      *take({ path, value }): Iterable<ReportItem> {
        if (path === 'descriptor.version') yield toolItem('Grype', value);
        else yield matchOf(object(value), reportName);
      },
    }),
  },
};

function matchOf(match: LooseObject, reportName: string): ReportItem {
  const vulnerability = object(match['vulnerability']);
  const related = objects(match['relatedVulnerabilities']);
  const artifact = object(match['artifact']);
  const found = packageOfPurl(artifact['purl']);
  return componentResult({
    advisories: [vulnerability['id'], ...related.map((entry) => entry['id'])],
    package: found?.package ?? artifact['name'],
    version: artifact['version'],
    ecosystem: found?.ecosystem ?? ecosystemOf(artifact['type']),
    file: firstWord(objects(artifact['locations'])[0]?.['path'])?.replace(/^\/+/, '') ?? reportName,
    message: firstWord(vulnerability['description'], related[0]?.['description']),
    severity: severityOf(vulnerability['severity']),
    references: [vulnerability['dataSource'], ...[vulnerability['urls']].flat()],
    fixVersions: inside(vulnerability, 'fix', 'versions'),
  });
}
