import { object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, inside } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';
import { ghsaIn, npmAdvisory } from './npm-advisory.ts';

export const yarnAudit: ReportFormatDefinition = {
  tool: 'yarn audit',
  writtenBy: '`yarn audit --json` of Yarn 1',
  version: '1.22',
  fixture: 'written',
  reads: 'one advisory a line',
  results: ['component'],
  signs: [[['type', /^audit(Advisory|Summary|Action)$/], 'data']],
  reader: {
    jsonLines: () => ({
      members: ['type'],
      *take(line): Iterable<ReportItem> {
        if (line['type'] === 'auditAdvisory') yield npmAdvisory(object(inside(line, 'data', 'advisory')), 'yarn.lock');
      },
    }),
  },
};

export const yarnNpmAudit: ReportFormatDefinition = {
  tool: 'yarn npm audit',
  writtenBy: '`yarn npm audit --json` of Yarn 4',
  version: '4.5',
  fixture: 'written',
  reads: 'one advisory a line; deprecations are not findings',
  results: ['component'],
  signs: [['value', 'children.ID', 'children.Issue']],
  reader: {
    jsonLines: () => ({
      members: ['children'],
      canBeEmpty: true,
      *take(line): Iterable<ReportItem> {
        const facts = object(line['children']);
        const id = facts['ID'];
        // The id of a deprecated package is its name.
        if (typeof id !== 'number') return;
        yield componentResult({
          advisories: [ghsaIn(facts['URL']), `npm:${id}`],
          package: line['value'],
          version: [facts['Tree Versions']].flat()[0],
          ecosystem: 'npm',
          file: 'yarn.lock',
          title: facts['Issue'],
          severity: severityOf(facts['Severity']),
          references: facts['URL'],
        });
      },
    }),
  },
};
