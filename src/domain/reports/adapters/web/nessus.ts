import type { ReportItem } from '../../report-items.ts';
import { childrenNamed, childText, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { endpointResult } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = { '4': 'critical', '3': 'high', '2': 'medium', '1': 'low', '0': 'info' } as const;

export const nessus: ReportFormatDefinition = {
  tool: 'Nessus',
  writtenBy: 'Nessus and Tenable, their `.nessus` export (version 2)',
  version: '10.8',
  fixture: 'written',
  reads: 'items of each host with port, description, solution, output, CVE and CWE',
  results: ['endpoint'],
  severities: SEVERITIES,
  reader: {
    xml: () => {
      let host = '';
      return {
        roots: ['NessusClientData_v2'],
        starts: ['ReportHost'],
        elements: ['ReportItem'],
        *take(element): Iterable<ReportItem> {
          if (element.name === 'ReportHost') host = element.attributes['name'] ?? '';
          else yield itemOf(element, host);
        },
      };
    },
  },
};

function itemOf(item: XmlElement, host: string): ReportItem {
  const { port = '0', protocol = '', severity, pluginID, pluginName, pluginFamily } = item.attributes;
  const description = ['synopsis', 'description', 'solution'].flatMap((name) => childText(item, name) ?? []);
  const cves = childrenNamed(item, 'cve').map((cve) => cve.text);
  return endpointResult({
    rule: pluginID,
    url: host,
    // Port 0 is the host itself.
    port: port === '0' ? undefined : `${port}/${protocol}`,
    evidence: childText(item, 'plugin_output'),
    title: pluginName,
    message: [...description, cves.join(' ')].filter(Boolean).join('\n\n'),
    severity: severityIn(SEVERITIES, severity),
    category: pluginFamily,
    cwes: childrenNamed(item, 'cwe').map((cwe) => cwe.text),
    references: childText(item, 'see_also')?.split(/\s+/),
  });
}
