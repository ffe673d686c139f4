import { normalisePath } from '../../identity/report-paths.ts';
import { fingerprintsOf } from '../../identity/tool-ids.ts';
import type { JsonPart } from '../../json/json-scanner.ts';
import {
  addAll,
  type LooseObject,
  list,
  nonEmptyTexts,
  object,
  objects,
  position,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedFinding, ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { withoutSecret } from '../mask-secrets.ts';
import { confidenceOf, cwesIn, owaspsIn, severityOf } from '../taxonomy.ts';
import { dependenciesOfFile, dependencyFinding } from './gitlab-dependencies.ts';

/** GitLab's SAST report, and its dependency scanning report, whose vulnerabilities are in dependencies. */
export const gitlabSast = (): JsonAdapter => gitlab('sast');

/** GitLab's secret detection report. */
export const gitlabSecrets = (): JsonAdapter => gitlab('secrets');

function gitlab(product: 'sast' | 'secrets'): JsonAdapter {
  const rulesRun: string[] = [];
  let isIncomplete = false;
  /** Before version 3, each vulnerability names the scanner instead of the report. */
  let oldScanner: string | undefined;
  return {
    required: ['vulnerabilities$'],
    paths: ['scan.scanner', 'scan.status', 'scan.primary_identifiers[]', 'vulnerabilities[]', 'dependency_files[]'],
    *take({ path, value }: JsonPart): Iterable<ReportItem> {
      if (path === 'vulnerabilities[]') {
        oldScanner ??= text(object(object(value)['scanner'])['name']);
        yield* findingOf(object(value), product);
      } else if (path === 'dependency_files[]') yield* dependenciesOfFile(object(value));
      else if (path === 'scan.status') isIncomplete = value !== 'success';
      else if (path === 'scan.primary_identifiers[]') addAll(rulesRun, texts(object(value)['value']));
      else {
        const scanner = object(value);
        const name = text(scanner['name']) ?? text(scanner['id']);
        oldScanner = '';
        if (name !== undefined)
          yield { kind: 'tool', name, ...withoutUndefined({ version: text(scanner['version']) }) };
      }
    },
    *finish(): Iterable<ReportItem> {
      if (oldScanner) yield { kind: 'tool', name: oldScanner };
      const rules = rulesRun.length > 0 ? rulesRun : undefined;
      if (rules || isIncomplete) {
        yield {
          kind: 'coverage',
          ...withoutUndefined({ rulesRun: rules, isIncomplete: isIncomplete ? true : undefined }),
        };
      }
    },
  };
}

function* findingOf(value: LooseObject, product: 'sast' | 'secrets'): Iterable<ReportItem> {
  const inDependency = dependencyFinding(value);
  if (inDependency) {
    yield inDependency;
    return;
  }
  const identifiers = objects(value['identifiers']);
  const rule = text(identifiers[0]?.['value']);
  if (rule === undefined) {
    yield { kind: 'warning', message: 'A vulnerability has no identifier; it was left out.' };
    return;
  }
  const location = object(value['location']);
  const line = position(location['start_line']);
  const code = list(value['raw_source_code_extract']).join('') || text(value['raw_source_code_extract']);
  const names = identifiers.flatMap((entry) => texts([entry['name'], entry['value']]));
  const signatures = objects(object(value['tracking'])['items']).flatMap((item) => objects(item['signatures']));
  const ids = signatures.map((entry) => [`gitlab/${text(entry['algorithm']) ?? 'unknown'}`, entry['value']] as const);
  const scope = [text(location['class']), text(location['method'])].filter((name) => name !== undefined);
  const finding: ReportedFinding = withoutUndefined({
    product,
    rule,
    path: normalisePath(text(location['file']) ?? ''),
    region: { line, column: 0, endLine: position(location['end_line']) || line, endColumn: 0 },
    message: text(value['message']) ?? text(value['description']) ?? text(value['name']) ?? rule,
    title: text(value['name']),
    severity: severityOf(value['severity']),
    confidence: confidenceOf(value['confidence']),
    cwes: cwesIn(identifiers.filter((entry) => entry['type'] === 'cwe').flatMap((entry) => texts(entry['name']))),
    owasps: owaspsIn(names),
    references: nonEmptyTexts(objects(value['links']).map((link) => link['url'])),
    code,
    scope: scope.length > 0 ? scope.join('.') : undefined,
    fingerprints: fingerprintsOf({ ...Object.fromEntries(ids), 'gitlab/cve': value['cve'] }),
    secret: product === 'secrets' ? withoutUndefined({ type: rule, value: valueIn(code) }) : undefined,
  });
  yield { kind: 'finding', ...withoutSecret(finding) };
}

/** GitLab's own analyzer reports the secret alone; others report the whole line, from which it cannot be extracted. */
const valueIn = (code: string | undefined): string | undefined =>
  code !== undefined && (/^\S+$/.test(code.trim()) || code.startsWith('-----BEGIN')) ? code.trim() : undefined;
