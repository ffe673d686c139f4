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
  const bill = new ComponentGraph();
  return {
    required: ['spdxVersion'],
    paths: ['packages[]', 'relationships[]', 'documentDescribes[]', 'creationInfo'],
    *take({ path, value }: JsonPart): Iterable<ReportItem> {
      if (path === 'packages[]') addPackage(bill, object(value), reportName);
      else if (path === 'relationships[]') relate(bill, object(value));
      else if (path === 'documentDescribes[]') for (const root of texts(value)) bill.addRoot(root);
      else yield* toolOf(object(value));
    },
    *finish(): Iterable<ReportItem> {
      bill.resolveTransitivity();
      yield* bill.dependencies();
    },
  };
}

const said = (value: unknown) => {
  const words = text(value);
  return words === 'NOASSERTION' || words === 'NONE' ? undefined : words;
};

function addPackage(bill: ComponentGraph, value: LooseObject, path: string): void {
  const purl = objects(value['externalRefs']).find((one) => one['referenceType'] === 'purl');
  const url = said(value['downloadLocation']);
  const dependency = dependencyOf({
    purl: text(purl?.['referenceLocator']),
    name: text(value['name']),
    version: text(value['versionInfo']),
    path,
    licenses: nonEmptyTexts(said(value['licenseConcluded']) ?? said(value['licenseDeclared'])),
    resolvedUrl: url !== undefined && /^https?:\/\//.test(url) ? url : undefined,
  });
  if (dependency) bill.add({ ref: text(value['SPDXID']) ?? '', dependency });
}

function relate(bill: ComponentGraph, value: LooseObject): void {
  const [from, to] = [text(value['spdxElementId']), text(value['relatedSpdxElement'])];
  const type = text(value['relationshipType']) ?? '';
  if (from === undefined || to === undefined) return;
  if (type === 'DESCRIBES') bill.addRoot(to);
  else if (type === 'DESCRIBED_BY') bill.addRoot(from);
  else if (type === 'DEPENDS_ON') bill.addDependencies(from, [to]);
  else if (type.endsWith('DEPENDENCY_OF')) bill.addDependencies(to, [from]);
}

function* toolOf(creation: LooseObject): Iterable<ReportItem> {
  const creator = texts(creation['creators']).find((one) => one.startsWith('Tool: '));
  const [, name, version] = /^Tool: (.+?)(?:-v?(\d[\w.+-]*))?$/.exec(creator?.slice(0, 300) ?? '') ?? [];
  if (name !== undefined) yield { kind: 'tool', name, ...withoutUndefined({ version }) };
}
