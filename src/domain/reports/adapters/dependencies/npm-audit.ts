import { type LooseObject, list, object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, inside } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';
import { ghsaIn, npmAdvisory } from './npm-advisory.ts';

export const npmAudit: ReportFormatDefinition = {
  tool: 'npm audit',
  writtenBy: '`npm audit --json` of npm 7 and later',
  version: '10.9',
  fixture: 'written',
  reads: 'advisories of vulnerable packages; packages that are vulnerable only through another one are not repeated',
  results: ['component'],
  signs: [['auditReportVersion', 'vulnerabilities']],
  reader: {
    json: () => {
      let isComplete = false;
      return {
        required: ['auditReportVersion#'],
        paths: ['vulnerabilities.*', 'metadata.dependencies'],
        *take({ path, value }): Iterable<ReportItem> {
          if (path === 'metadata.dependencies') isComplete = true;
          else yield* advisoriesOf(object(value));
        },
        *finish(): Iterable<ReportItem> {
          if (!isComplete) yield { kind: 'coverage', isIncomplete: true };
        },
      };
    },
  },
};

function* advisoriesOf(found: LooseObject): Iterable<ReportItem> {
  const fix = object(found['fixAvailable']);
  for (const via of objects(list(found['via']).filter((entry) => typeof entry === 'object'))) {
    const source = via['source'];
    yield componentResult({
      advisories: [ghsaIn(via['url']), ...(typeof source === 'number' ? [`npm:${source}`] : [])],
      package: via['name'],
      ecosystem: 'npm',
      file: 'package-lock.json',
      title: via['title'],
      severity: severityOf(via['severity']),
      cwes: via['cwe'],
      references: via['url'],
      transitivity: found['isDirect'] === true ? 'direct' : 'transitive',
      fixVersions: text(inside(fix, 'name')) === text(via['name']) ? fix['version'] : undefined,
    });
  }
}

export const pnpmAudit: ReportFormatDefinition = {
  tool: 'pnpm audit',
  writtenBy: '`pnpm audit --json`, `npm audit --json` of npm 6',
  version: '9',
  fixture: 'written',
  reads: 'advisories with the versions found and their chains of dependencies',
  results: ['component'],
  signs: [
    ['advisories', 'actions'],
    ['advisories', 'muted', 'metadata'],
  ],
  reader: {
    json: () => ({
      required: ['actions$', 'muted$'],
      paths: ['advisories.*'],
      *take({ value }): Iterable<ReportItem> {
        yield npmAdvisory(object(value), 'pnpm-lock.yaml');
      },
    }),
  },
};
