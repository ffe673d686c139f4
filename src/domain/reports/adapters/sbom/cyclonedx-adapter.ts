import type { JsonPart } from '../../json/json-scanner.ts';
import { type LooseObject, object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { childNamed, childrenNamed, childText, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { AdapterContext, JsonAdapter, XmlAdapter } from '../adapter.ts';
import { CycloneDxReader } from './cyclonedx-reader.ts';

/** CycloneDX JSON: components, vulnerabilities and their analysis. */
export function cyclonedxJson({ reportName }: AdapterContext): JsonAdapter {
  const reader = new CycloneDxReader(reportName);
  return {
    required: ['bomFormat'],
    paths: ['metadata', 'components[]', 'dependencies[]', 'vulnerabilities[]'],
    *take({ path, value }: JsonPart): Iterable<ReportItem> {
      const part = object(value);
      if (path === 'metadata') yield* reader.metadata(part);
      else if (path === 'components[]') reader.component(part);
      else if (path === 'dependencies[]') reader.dependency(part);
      else reader.vulnerability(part);
    },
    finish: () => reader.finish(),
  };
}

/** CycloneDX XML, with the same content. */
export function cyclonedxXml({ reportName }: AdapterContext): XmlAdapter {
  const reader = new CycloneDxReader(reportName);
  return {
    roots: ['bom'],
    elements: ['metadata', 'component', 'dependency', 'vulnerability'],
    *take(element): Iterable<ReportItem> {
      if (element.name === 'metadata') yield* reader.metadata(metadataOf(element));
      else if (element.name === 'component') reader.component(componentOf(element));
      else if (element.name === 'dependency') reader.dependency(dependencyOf(element));
      else reader.vulnerability(vulnerabilityOf(element));
    },
    finish: () => reader.finish(),
  };
}

const childrenOf = (element: XmlElement | undefined, list: string, name: string) =>
  childrenNamed(element && childNamed(element, list), name);

function metadataOf(element: XmlElement): LooseObject {
  const tools = childNamed(element, 'tools');
  const modern = childrenOf(tools, 'components', 'component').map(componentOf);
  const component = childNamed(element, 'component');
  return {
    component: component && componentOf(component),
    tools: modern.length > 0 ? { components: modern } : childrenNamed(tools, 'tool').map(componentOf),
  };
}

function componentOf(element: XmlElement): LooseObject {
  return {
    type: element.attributes['type'],
    'bom-ref': element.attributes['bom-ref'],
    group: childText(element, 'group'),
    name: childText(element, 'name'),
    version: childText(element, 'version'),
    purl: childText(element, 'purl'),
    licenses: childNamed(element, 'licenses')?.children.map((entry) =>
      entry.name === 'expression'
        ? { expression: entry.text }
        : { license: { id: childText(entry, 'id'), name: childText(entry, 'name') } },
    ),
    properties: childrenOf(element, 'properties', 'property').map((entry) => ({
      name: entry.attributes['name'],
      value: entry.text,
    })),
    externalReferences: childrenOf(element, 'externalReferences', 'reference').map((entry) => ({
      type: entry.attributes['type'],
      url: childText(entry, 'url'),
    })),
    components: childrenOf(element, 'components', 'component').map(componentOf),
  };
}

const dependencyOf = (element: XmlElement): LooseObject => ({
  ref: element.attributes['ref'],
  dependsOn: childrenNamed(element, 'dependency').map((entry) => entry.attributes['ref']),
});

function vulnerabilityOf(element: XmlElement): LooseObject {
  const analysis = childNamed(element, 'analysis');
  return {
    id: childText(element, 'id'),
    description: childText(element, 'description'),
    detail: childText(element, 'detail'),
    references: childrenOf(element, 'references', 'reference').map((entry) => ({ id: childText(entry, 'id') })),
    ratings: childrenOf(element, 'ratings', 'rating').map((entry) => ({
      severity: childText(entry, 'severity'),
      score: childText(entry, 'score'),
    })),
    cwes: childrenOf(element, 'cwes', 'cwe').map((entry) => entry.text),
    advisories: childrenOf(element, 'advisories', 'advisory').map((entry) => ({ url: childText(entry, 'url') })),
    affects: childrenOf(element, 'affects', 'target').map((entry) => ({
      ref: childText(entry, 'ref'),
      versions: childrenOf(entry, 'versions', 'version').map((range) => ({
        version: childText(range, 'version'),
        status: childText(range, 'status'),
      })),
    })),
    analysis: analysis && {
      state: childText(analysis, 'state'),
      justification: childText(analysis, 'justification'),
      detail: childText(analysis, 'detail'),
      response: childrenOf(analysis, 'responses', 'response').map((entry) => entry.text),
    },
  };
}
