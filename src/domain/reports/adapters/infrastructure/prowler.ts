import { object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { firstWord, inside, resourceResult } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const FACTS = {
  tool: 'Prowler',
  version: '5.2',
  fixture: 'written',
  reads: 'findings that failed and are not muted, by resource',
  results: ['resource'],
} as const;

export const prowler: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: '`prowler … -M json-ocsf`; Security Hub and others that write OCSF findings',
  signs: [
    ['[].finding_info', '[].resources[]'],
    ['[].status_code', '[].finding_info'],
    ['[].metadata.event_code', '[].severity_id'],
  ],
  reader: {
    jsonLines: () => ({
      members: ['finding_info', 'finding'],
      canBeEmpty: true,
      *take(event): Iterable<ReportItem> {
        const status = firstWord(event['status_code'], event['status_detail']);
        if (status === 'PASS' || status === 'MANUAL' || event['status'] === 'Suppressed') return;
        const info = object(event['finding_info'] ?? event['finding']);
        const resources = objects(event['resources']);
        for (const resource of resources.length > 0 ? resources : [{}])
          yield resourceResult({
            rule: firstWord(inside(event, 'metadata', 'event_code'), info['uid']),
            resource: firstWord(resource['uid'], resource['name'], inside(event, 'cloud', 'account', 'uid')),
            title: info['title'],
            message: firstWord(event['status_detail'], event['message'], info['desc']),
            severity: severityOf(event['severity']),
            category: 'infrastructure',
            references: inside(event, 'remediation', 'references'),
            scope: inside(resource, 'region'),
          });
      },
    }),
  },
};

export const prowlerCsv: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: '`prowler … -M csv`',
  reader: {
    csv: () => ({
      required: ['CHECK_ID', 'STATUS', 'RESOURCE_UID', 'SEVERITY'],
      separator: ';',
      *take(row): Iterable<ReportItem> {
        if (row['STATUS'] !== 'FAIL' || row['MUTED'] === 'True') return;
        yield resourceResult({
          rule: row['CHECK_ID'],
          resource: firstWord(row['RESOURCE_UID'], row['RESOURCE_NAME']),
          title: row['CHECK_TITLE'],
          message: firstWord(row['STATUS_EXTENDED'], row['DESCRIPTION']),
          severity: severityOf(row['SEVERITY']),
          category: 'infrastructure',
          references: text(row['RELATED_URL']),
          scope: row['REGION'],
        });
      },
    }),
  },
};
