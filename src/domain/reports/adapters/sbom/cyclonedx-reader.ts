import { packageOf, parsePurl } from '../../identity/package-url.ts';
import { normalisePath } from '../../identity/report-paths.ts';
import {
  type LooseObject,
  list,
  nonEmptyTexts,
  number,
  object,
  objects,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type {
  ReportedDecision,
  ReportedDependency,
  ReportedFinding,
  ReportItem,
  Severity,
} from '../../report-items.ts';
import { cwesIn, rankedAdvisories, severityOf, severityOfScore } from '../taxonomy.ts';
import { ComponentGraph, dependencyOf } from './component-graph.ts';

const NOT_PACKAGES = new Set(['file', 'operating-system', 'container', 'device', 'data', 'machine-learning-model']);
const PATH_PROPERTIES = ['aquasecurity:trivy:FilePath', 'SrcFile', 'syft:location:0:path'];
const MAX_NESTING = 50;

/** Reads a CycloneDX document from the parts of its JSON; XML is converted to the same form first. */
export class CycloneDxReader {
  readonly #graph = new ComponentGraph();
  readonly #vulnerabilities: LooseObject[] = [];
  readonly #reportName: string;

  constructor(reportName: string) {
    this.#reportName = reportName;
  }

  *metadata(value: LooseObject): Iterable<ReportItem> {
    const ref = text(object(value['component'])['bom-ref']);
    if (ref !== undefined) this.#graph.addRoot(ref);
    const tools = value['tools'];
    const [tool] = Array.isArray(tools) ? objects(tools).toReversed() : objects(object(tools)['components']).slice(-1);
    const name = text(tool?.['name']);
    if (name !== undefined) yield { kind: 'tool', name, ...withoutUndefined({ version: text(tool?.['version']) }) };
  }

  component(value: LooseObject, depth = 0): void {
    const type = text(value['type']) ?? 'library';
    const group = text(value['group']);
    const name = text(value['name']);
    const purl = text(value['purl']);
    const dependency = dependencyOf({
      purl,
      name: group !== undefined && name !== undefined ? `${group}/${name}` : name,
      version: text(value['version']),
      path: this.#pathOf(value),
      licenses: licensesOf(value),
      resolvedUrl: distributionOf(value),
    });
    const isPackage = purl !== undefined || !NOT_PACKAGES.has(type);
    if (dependency && isPackage) this.#graph.add({ ref: text(value['bom-ref']) ?? purl ?? '', dependency });
    if (depth < MAX_NESTING) for (const inner of objects(value['components'])) this.component(inner, depth + 1);
  }

  dependency(value: LooseObject): void {
    const ref = text(value['ref']);
    if (ref !== undefined) this.#graph.addDependencies(ref, texts(list(value['dependsOn'])));
  }

  vulnerability(value: LooseObject): void {
    this.#vulnerabilities.push(value);
  }

  *finish(): Iterable<ReportItem> {
    this.#graph.resolveTransitivity();
    yield* this.#graph.dependencies();
    for (const vulnerability of this.#vulnerabilities) yield* this.#affected(vulnerability);
  }

  *#affected(vulnerability: LooseObject): Iterable<ReportItem> {
    const references = objects(vulnerability['references']).flatMap((entry) => texts(entry['id']));
    const advisories = rankedAdvisories([...texts(vulnerability['id']), ...references]);
    const [advisory] = advisories;
    const affects = objects(vulnerability['affects']);
    if (advisory === undefined) {
      yield { kind: 'warning', message: 'A vulnerability has no id; it was left out.' };
      return;
    }
    if (affects.length === 0)
      yield { kind: 'warning', message: `${advisory} names no affected component; it was left out.` };
    for (const affected of affects) {
      const ref = text(affected['ref']) ?? '';
      const decision = decisionOf(object(vulnerability['analysis']));
      // A statement about a component of another document is only a decision.
      const component = this.#graph.find(ref) ?? (decision ? undefined : this.#componentOfRef(ref));
      if (component) yield { kind: 'finding', ...findingOf(vulnerability, affected, { component, advisories }) };
      else if (!decision)
        yield { kind: 'warning', message: `${advisory} affects ${ref || 'nothing'}, which is not in the report.` };
      if (decision)
        yield {
          kind: 'decision',
          ...decision,
          advisory,
          ...(component ? packageFields(component) : packageOfRef(ref)),
        };
    }
  }

  /** Scanners may name a component by its package URL without listing it. */
  #componentOfRef(ref: string): ReportedDependency | undefined {
    return dependencyOf({ purl: purlOfRef(ref), name: undefined, version: undefined, path: this.#reportName });
  }

  #pathOf(value: LooseObject): string {
    const properties = objects(value['properties']);
    const path = PATH_PROPERTIES.map((name) =>
      text(properties.find((entry) => entry['name'] === name)?.['value']),
    ).find((entry) => entry !== undefined);
    return path === undefined ? this.#reportName : normalisePath(path.replace(/^\/+/, ''));
  }
}

const packageFields = ({ package: name, ecosystem }: ReportedDependency) => ({
  package: name,
  ...(ecosystem === '' ? {} : { ecosystem }),
});

/** A reference into another document, `urn:cdx:…#ref`; the reference is often a package URL. */
export function packageOfRef(ref: string): { package?: string; ecosystem?: string } {
  const purl = parsePurl(purlOfRef(ref));
  if (!purl) return {};
  const { package: name, ecosystem } = packageOf(purl);
  return { package: name, ecosystem };
}

function purlOfRef(ref: string): string {
  const hash = ref.startsWith('urn:cdx:') ? ref.indexOf('#') : -1;
  return hash === -1 ? ref : decodeOrKeep(ref.slice(hash + 1));
}

function decodeOrKeep(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function findingOf(
  vulnerability: LooseObject,
  affected: LooseObject,
  { component, advisories }: { component: ReportedDependency; advisories: string[] },
): ReportedFinding {
  const advisory = advisories[0] ?? '';
  const fixes = objects(affected['versions']).filter((entry) => entry['status'] === 'unaffected');
  const { package: name, version, ecosystem, transitivity } = component;
  return withoutUndefined({
    product: 'sca' as const,
    rule: advisory,
    path: component.path,
    region: { line: 0, column: 0, endLine: 0, endColumn: 0 },
    message: text(vulnerability['description']) ?? text(vulnerability['detail']) ?? `${advisory} in ${name}`,
    severity: severityFrom(objects(vulnerability['ratings'])),
    cwes: cwesIn(list(vulnerability['cwes']).map((id) => `CWE-${number(id) ?? ''}`)),
    references: nonEmptyTexts(objects(vulnerability['advisories']).map((entry) => entry['url'])),
    fingerprints: {},
    sca: withoutUndefined({
      advisories,
      package: name,
      version,
      ecosystem,
      transitivity,
      fixVersions: nonEmptyTexts(fixes.map((entry) => entry['version'])),
    }),
  });
}

const ORDER: Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/** The highest rating counts. */
function severityFrom(ratings: LooseObject[]): Severity | undefined {
  const found = ratings.map((rating) => {
    const score = number(rating['score']);
    return severityOf(rating['severity']) ?? (score === undefined ? undefined : severityOfScore(score));
  });
  return ORDER.find((severity) => found.includes(severity));
}

/** CycloneDX uses `exploitable` for affected components, and `response` for what will be done about it. */
function decisionOf(analysis: LooseObject): ReportedDecision | undefined {
  const state = text(analysis['state']);
  const response = texts(list(analysis['response']));
  const words = [state, text(analysis['justification']), text(analysis['detail'])].filter(
    (entry) => entry !== undefined,
  );
  const more = { source: 'vex' as const, ...withoutUndefined({ note: words.join(': ') || undefined }) };
  if (state === 'not_affected' || state === 'false_positive') {
    return { ...more, state: 'ignored', reason: 'false_positive' };
  }
  if (state === 'in_triage') return { ...more, state: 'reviewing' };
  if (state === 'resolved' || state === 'resolved_with_pedigree') return { ...more, state: 'ignored' };
  if (state !== 'exploitable') return undefined;
  if (response.includes('will_not_fix') || response.includes('can_not_fix')) {
    return { ...more, state: 'ignored', reason: 'acceptable_risk' };
  }
  return response.length > 0 ? { ...more, state: 'fixing' } : undefined;
}

function licensesOf(value: LooseObject): string[] | undefined {
  return nonEmptyTexts(
    objects(value['licenses']).map((entry) => {
      const license = object(entry['license']);
      return text(entry['expression']) ?? text(license['id']) ?? text(license['name']);
    }),
  );
}

const distributionOf = (value: LooseObject): string | undefined =>
  objects(value['externalReferences'])
    .filter((entry) => entry['type'] === 'distribution')
    .map((entry) => text(entry['url']))
    .find((url) => url !== undefined && /^https?:\/\//.test(url));
