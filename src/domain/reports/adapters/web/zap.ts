import { type LooseObject, object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { childNamed, childrenNamed, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { htmlText, urlsIn } from '../html-text.ts';
import { endpointResult, firstWord, toolItem } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const FACTS = {
  tool: 'ZAP',
  version: '2.16',
  fixture: 'written',
  reads: 'alerts with each of their instances: address, method, parameter, evidence',
  results: ['endpoint'],
  severities: { '3': 'high', '2': 'medium', '1': 'low', '0': 'info' },
} as const satisfies Partial<ReportFormatDefinition>;
const CONFIDENCES: Record<string, 'high' | 'medium' | 'low'> = { '3': 'high', '4': 'high', '2': 'medium', '1': 'low' };

export const zap: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'ZAP, its JSON report (traditional)',
  signs: [
    ['@programName', 'site'],
    ['site[].@name', 'site[].alerts[]'],
  ],
  reader: {
    json: () => ({
      required: ['site$'],
      paths: ['@version', 'site[].alerts[]'],
      *take({ path, value }): Iterable<ReportItem> {
        if (path === '@version') yield toolItem('ZAP', value);
        else yield* alertOf(object(value));
      },
    }),
  },
};

function* alertOf(alert: LooseObject): Iterable<ReportItem> {
  // False positives have the confidence 0.
  if (alert['confidence'] === '0') return;
  for (const instance of objects(alert['instances']))
    yield endpointResult({
      rule: firstWord(alert['alertRef'], alert['pluginid']),
      url: instance['uri'],
      method: instance['method'],
      parameter: instance['param'],
      evidence: instance['evidence'],
      title: firstWord(alert['name'], alert['alert']),
      message: [htmlText(text(alert['desc'])), htmlText(text(alert['solution']))].filter(Boolean).join('\n\n'),
      severity: severityIn(FACTS.severities, alert['riskcode']),
      confidence: CONFIDENCES[text(alert['confidence']) ?? ''],
      cwes: alert['cweid'] === '-1' ? undefined : alert['cweid'],
      references: urlsIn(htmlText(text(alert['reference']))),
    });
}

export const zapXml: ReportFormatDefinition = {
  ...FACTS,
  writtenBy: 'ZAP, its XML report (traditional)',
  reader: {
    xml: () => ({
      roots: ['OWASPZAPReport'],
      starts: ['OWASPZAPReport'],
      elements: ['alertitem'],
      *take(element): Iterable<ReportItem> {
        if (element.name === 'OWASPZAPReport') yield toolItem('ZAP', element.attributes['version']);
        else
          yield* alertOf({
            ...textsOf(element),
            instances: childrenNamed(childNamed(element, 'instances'), 'instance').map(textsOf),
          });
      },
    }),
  },
};

/** The texts of the children by their names, which are those of the JSON. */
const textsOf = (element: XmlElement): LooseObject =>
  Object.fromEntries(element.children.map(({ name, text: words }) => [name, words]));
