import { number } from '../../json/loose-values.ts';
import type { ReportItem, Severity } from '../../report-items.ts';
import { childNamed, childrenNamed, childText, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { endpointResult, firstWord } from '../result-items.ts';
import { severityOfScore } from '../taxonomy.ts';

export const openvas: ReportFormatDefinition = {
  tool: 'OpenVAS',
  writtenBy: 'Greenbone (OpenVAS), its XML report',
  version: '23',
  fixture: 'written',
  reads: 'results with host, port, test, references and quality of detection; false positives are left out',
  results: ['endpoint'],
  severities: {
    'CVSS 9 to 10': 'critical',
    '7 to 8.9': 'high',
    '4 to 6.9': 'medium',
    '0.1 to 3.9': 'low',
    '0': 'info',
  },
  startSign: /<nvt\b|<gmp\b|<omp\b|openvas|greenbone/i,
  reader: {
    xml: () => ({
      roots: ['report', 'get_reports_response'],
      elements: ['result'],
      *take(element): Iterable<ReportItem> {
        // Results are also listed by id alone.
        if (element.children.length > 0 && childText(element, 'threat') !== 'False Positive') yield resultOf(element);
      },
    }),
  },
};

const severityOfText = (score: number | undefined): Severity | undefined =>
  score === undefined || score < 0 ? undefined : score === 0 ? 'info' : severityOfScore(score);

function resultOf(result: XmlElement): ReportItem {
  const nvt = childNamed(result, 'nvt');
  const refs = childrenNamed(childNamed(nvt, 'refs'), 'ref').map(({ attributes }) => attributes);
  const port = childText(result, 'port');
  const tags = Object.fromEntries(
    (childText(nvt, 'tags') ?? '').split('|').map((tag) => [tag.split('=', 1)[0], tag.slice(tag.indexOf('=') + 1)]),
  );
  const quality = number(childText(childNamed(result, 'qod'), 'value')) ?? 70;
  return endpointResult({
    rule: firstWord(nvt?.attributes['oid'], childText(result, 'name')),
    url: childText(result, 'host'),
    port: port === undefined || port.startsWith('general') ? undefined : port,
    title: childText(result, 'name'),
    message: firstWord(tags['summary'], childText(result, 'description')),
    evidence: tags['summary'] === undefined ? undefined : childText(result, 'description'),
    severity: severityOfText(number(childText(result, 'severity'))),
    confidence: quality >= 90 ? 'high' : quality >= 50 ? 'medium' : 'low',
    category: childText(nvt, 'family'),
    references: refs.filter(({ type }) => type === 'url').map(({ id }) => id),
  });
}
