import { type LooseObject, list, number, object, objects, text, texts } from '../../json/loose-values.ts';
import type { ReportItem, Severity } from '../../report-items.ts';
import { ecosystemOf } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, firstWord, inside } from '../result-items.ts';
import { severityOf, severityOfScore } from '../taxonomy.ts';

export const osvScanner: ReportFormatDefinition = {
  tool: 'OSV-Scanner',
  writtenBy: '`osv-scanner --format json`',
  version: '2.0',
  fixture: 'written',
  reads: 'vulnerabilities of packages by lockfile; ids of one group are one flaw',
  results: ['component'],
  signs: [
    ['results[].packages[].package', 'results[].source'],
    ['results[]', 'experimental_config'],
  ],
  reader: {
    json: () => {
      let path = '';
      return {
        required: ['results$'],
        paths: ['results[].source.path', 'results[].packages[]'],
        *take(part): Iterable<ReportItem> {
          if (part.path === 'results[].source.path') path = text(part.value) ?? '';
          else yield* packageOf(object(part.value), path);
        },
      };
    },
  },
};

function* packageOf(value: LooseObject, file: string): Iterable<ReportItem> {
  const found = object(value['package']);
  const groups = objects(value['groups']);
  const reported = new Set<string>();
  for (const flaw of objects(value['vulnerabilities'])) {
    const id = text(flaw['id']) ?? '';
    if (reported.has(id)) continue;
    const group = groups.find((entry) => list(entry['ids']).includes(id));
    const ids = [...texts(group?.['ids']), ...texts(group?.['aliases'])];
    for (const other of [id, ...ids]) reported.add(other);
    yield componentResult({
      advisories: [id, ...ids, ...texts(flaw['aliases'])],
      package: found['name'],
      version: found['version'],
      ecosystem: ecosystemOf(found['ecosystem']),
      file,
      title: flaw['summary'],
      message: firstWord(flaw['summary'], flaw['details']),
      severity: severityFrom(flaw, group),
      cwes: inside(flaw, 'database_specific', 'cwe_ids'),
      references: objects(flaw['references']).map((entry) => entry['url']),
      fixVersions: fixesOf(flaw),
    });
  }
}

function severityFrom(flaw: LooseObject, group: LooseObject | undefined): Severity | undefined {
  const score = number(group?.['max_severity']);
  return score === undefined ? severityOf(inside(flaw, 'database_specific', 'severity')) : severityOfScore(score);
}

const fixesOf = (flaw: LooseObject): string[] =>
  objects(flaw['affected']).flatMap((affected) =>
    objects(affected['ranges'])
      .filter((range) => range['type'] !== 'GIT')
      .flatMap((range) => objects(range['events']).flatMap((event) => texts(event['fixed']))),
  );
