import { type LooseObject, object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { childNamed, childrenNamed, childText, type XmlElement } from '../../xml/xml-element-reader.ts';
import { packageOfPurl } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, inside, toolItem, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const TOOL = 'OWASP Dependency-Check';
const FACTS = {
  tool: TOOL,
  version: '11.1',
  fixture: 'written',
  reads: 'files with their packages as dependencies, vulnerabilities that are not suppressed',
  results: ['component'],
} as const;

export const dependencyCheck: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: '`dependency-check --format JSON`',
  signs: [
    ['reportSchema', 'dependencies[]'],
    ['dependencies[].fileName', 'dependencies[].filePath'],
  ],
  reader: {
    json: () => ({
      required: ['dependencies$'],
      paths: ['scanInfo.engineVersion', 'dependencies[]'],
      *take({ path, value }): Iterable<ReportItem> {
        if (path === 'dependencies[]') yield* fileOf(object(value));
        else yield toolItem(TOOL, value);
      },
    }),
  },
};

function* fileOf(file: LooseObject): Iterable<ReportItem> {
  const purl = objects(file['packages']).flatMap((entry) => text(entry['id']) ?? [])[0];
  const found = packageOfPurl(purl);
  const name = found?.package ?? word(file['fileName']);
  if (name === undefined) return;
  const library = { package: name, version: found?.version ?? '', ecosystem: found?.ecosystem ?? '' };
  const path = text(file['filePath']) ?? '';
  if (found) yield { kind: 'dependency', ...library, path, transitivity: 'unknown', ...(purl && { purl }) };
  for (const flaw of objects(file['vulnerabilities'])) {
    yield componentResult({
      ...library,
      advisories: [flaw['name']],
      file: path,
      message: flaw['description'],
      severity: severityOf(flaw['severity']) ?? severityOf(inside(flaw, 'cvssv3', 'baseSeverity')),
      cwes: flaw['cwes'],
      references: objects(flaw['references']).map((entry) => entry['url']),
    });
  }
}

export const dependencyCheckXml: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: '`dependency-check --format XML`',
  startSign: /dependency-check/i,
  reader: {
    xml: () => ({
      roots: ['analysis'],
      elements: ['scanInfo', 'dependency'],
      *take(element): Iterable<ReportItem> {
        if (element.name === 'scanInfo') yield toolItem(TOOL, childText(element, 'engineVersion'));
        else yield* fileOf(factsOf(element));
      },
    }),
  },
};

/** The element in the form of the JSON. */
const factsOf = (element: XmlElement): LooseObject => ({
  fileName: childText(element, 'fileName'),
  filePath: childText(element, 'filePath'),
  packages: childrenNamed(childNamed(element, 'identifiers'), 'package').map((entry) => ({
    id: childText(entry, 'id'),
  })),
  vulnerabilities: childrenNamed(childNamed(element, 'vulnerabilities'), 'vulnerability').map((entry) => ({
    name: childText(entry, 'name'),
    description: childText(entry, 'description'),
    severity: childText(entry, 'severity'),
    cwes: childrenNamed(childNamed(entry, 'cwes'), 'cwe').map((cwe) => cwe.text),
    references: childrenNamed(childNamed(entry, 'references'), 'reference').map((one) => ({
      url: childText(one, 'url'),
    })),
  })),
});
