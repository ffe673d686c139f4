import { normalisePath } from '../identity/report-paths.ts';
import type { JsonPart } from '../json/json-scanner.ts';
import {
  type LooseObject,
  nonEmptyTexts,
  object,
  objects,
  text,
  texts,
  withoutUndefined,
} from '../json/loose-values.ts';
import type { ReportItem } from '../report-items.ts';
import type { JsonAdapter } from './adapter.ts';
import { cwesIn, rankedAdvisories, severityOf } from './taxonomy.ts';

/** Both JSON formats of Retire.js: libraries found in files, and their vulnerabilities. */
export function retire(): JsonAdapter {
  let failures = 0;
  return {
    required: ['data$', '$'],
    paths: ['version', 'errors[]', 'data[]', '[]'],
    *take({ path, value }: JsonPart): Iterable<ReportItem> {
      if (path === 'version') yield { kind: 'tool', name: 'Retire.js', ...withoutUndefined({ version: text(value) }) };
      else if (path === 'errors[]') failures++;
      else yield* fileOf(object(value));
    },
    *finish(): Iterable<ReportItem> {
      if (failures === 0) return;
      yield { kind: 'warning', message: `Retire.js reported ${failures} errors; no findings are closed.` };
      yield { kind: 'coverage', isIncomplete: true };
    },
  };
}

function* fileOf(file: LooseObject): Iterable<ReportItem> {
  const path = normalisePath(text(file['file']) ?? '');
  for (const found of objects(file['results'])) {
    const component = text(found['component']);
    if (component === undefined) continue;
    const library = {
      package: text(found['npmname']) ?? component,
      version: text(found['version']) ?? '',
      ecosystem: 'npm',
      transitivity: 'unknown' as const,
    };
    yield { kind: 'dependency', ...library, path };
    for (const vulnerability of objects(found['vulnerabilities'])) {
      const names = object(vulnerability['identifiers']);
      const published = rankedAdvisories([...texts(names['CVE']), ...texts(names['githubID'])]);
      // Different flaws may refer to the same issue of the library, so it names only flaws without another name.
      const own = text(names['retid']) ?? text(names['bug']) ?? text(names['issue']);
      const advisories = published.length > 0 || own === undefined ? published : [`retire:${component}:${own}`];
      const summary = text(names['summary']) ?? `${component} ${library.version} is vulnerable.`;
      const below = text(vulnerability['below']);
      yield {
        kind: 'finding',
        ...withoutUndefined({
          product: 'sca' as const,
          rule: advisories[0] ?? `retire:${component}:${summary}`,
          path,
          region: { line: 0, column: 0, endLine: 0, endColumn: 0 },
          message: summary,
          title: text(names['summary']),
          severity: severityOf(vulnerability['severity']),
          cwes: cwesIn(texts(vulnerability['cwe'])),
          references: nonEmptyTexts(vulnerability['info']),
          fingerprints: {},
          sca: { advisories, ...library, ...(below === undefined ? {} : { fixVersions: [below] }) },
        }),
      };
    }
  }
}
