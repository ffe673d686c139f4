import type { ReportItem } from '../../report-items.ts';
import { childText, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { htmlText, urlsIn } from '../html-text.ts';
import { endpointResult, toolItem } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const CONFIDENCES: Record<string, 'high' | 'medium' | 'low'> = { Certain: 'high', Firm: 'medium', Tentative: 'low' };

const MAX_LOCATION_END = 300;

export const burp: ReportFormatDefinition = {
  tool: 'Burp Suite',
  writtenBy: 'Burp Suite Professional and DAST, their XML report of issues',
  version: '2024.12',
  fixture: 'written',
  reads: 'issues with host, path and parameter; requests and responses are not stored',
  results: ['endpoint'],
  startSign: /\bburpVersion=/,
  reader: {
    xml: () => ({
      roots: ['issues'],
      hasDoctype: true,
      starts: ['issues'],
      elements: ['issue'],
      *take(element): Iterable<ReportItem> {
        if (element.name === 'issues') yield toolItem('Burp Suite', element.attributes['burpVersion']);
        else if (childText(element, 'severity') !== 'False positive') yield issueOf(element);
      },
    }),
  },
};

function issueOf(issue: XmlElement): ReportItem {
  const classes = childText(issue, 'vulnerabilityClassifications');
  const details = ['issueDetail', 'issueBackground', 'remediationBackground'].map((name) => childText(issue, name));
  return endpointResult({
    rule: childText(issue, 'type'),
    url: `${childText(issue, 'host') ?? ''}${childText(issue, 'path') ?? ''}`,
    // `/search [q parameter]`
    parameter: /\[(.{1,200})\]$/.exec(childText(issue, 'location')?.slice(-MAX_LOCATION_END) ?? '')?.[1],
    title: childText(issue, 'name'),
    message: details.flatMap((html) => htmlText(html) ?? []).join('\n\n'),
    severity: severityOf(childText(issue, 'severity')),
    confidence: CONFIDENCES[childText(issue, 'confidence') ?? ''],
    cwes: htmlText(classes),
    references: urlsIn(childText(issue, 'references')),
  });
}
