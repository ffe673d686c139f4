import type { JsonPart } from '../../json/json-scanner.ts';
import {
  type LooseObject,
  nonEmptyTexts,
  object,
  objects,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { AdapterContext, JsonAdapter } from '../adapter.ts';
import { ComponentGraph, dependencyOf } from './component-graph.ts';

/** SPDX 2.3 JSON: packages and their relationships. */
export function spdxJson({ reportName }: AdapterContext): JsonAdapter {
  const graph = new ComponentGraph();
  return {
    required: ['spdxVersion'],
    paths: ['packages[]', 'relationships[]', 'documentDescribes[]', 'creationInfo'],
    *take({ path, value }: JsonPart): Iterable<ReportItem> {
      if (path === 'packages[]') addPackage(graph, object(value), reportName);
      else if (path === 'relationships[]') relate(graph, object(value));
      else if (path === 'documentDescribes[]') for (const root of texts(value)) graph.addRoot(root);
      else yield* toolOf(object(value));
    },
    *finish(): Iterable<ReportItem> {
      graph.resolveTransitivity();
      yield* graph.dependencies();
    },
  };
}

const assertedText = (value: unknown) => {
  const words = text(value);
  return words === 'NOASSERTION' || words === 'NONE' ? undefined : words;
};

function addPackage(graph: ComponentGraph, value: LooseObject, path: string): void {
  const purl = objects(value['externalRefs']).find((entry) => entry['referenceType'] === 'purl');
  const url = assertedText(value['downloadLocation']);
  const dependency = dependencyOf({
    purl: text(purl?.['referenceLocator']),
    name: text(value['name']),
    version: text(value['versionInfo']),
    path,
    licenses: nonEmptyTexts(assertedText(value['licenseConcluded']) ?? assertedText(value['licenseDeclared'])),
    resolvedUrl: url !== undefined && /^https?:\/\//.test(url) ? url : undefined,
  });
  if (dependency) graph.add({ ref: text(value['SPDXID']) ?? '', dependency });
}

function relate(graph: ComponentGraph, value: LooseObject): void {
  const [from, to] = [text(value['spdxElementId']), text(value['relatedSpdxElement'])];
  const type = text(value['relationshipType']) ?? '';
  if (from === undefined || to === undefined) return;
  if (type === 'DESCRIBES') graph.addRoot(to);
  else if (type === 'DESCRIBED_BY') graph.addRoot(from);
  else if (type === 'DEPENDS_ON') graph.addDependencies(from, [to]);
  else if (type.endsWith('DEPENDENCY_OF')) graph.addDependencies(to, [from]);
}

function* toolOf(creation: LooseObject): Iterable<ReportItem> {
  const creator = texts(creation['creators']).find((entry) => entry.startsWith('Tool: '));
  const [, name, version] = /^Tool: (.+?)(?:-v?(\d[\w.+-]*))?$/.exec(creator?.slice(0, 300) ?? '') ?? [];
  if (name !== undefined) yield { kind: 'tool', name, ...withoutUndefined({ version }) };
}
