import type { ReportItem } from '../../report-items.ts';
import { childNamed, childrenNamed, type XmlElement } from '../../xml/xml-element-reader.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { endpointResult, toolItem } from '../result-items.ts';

export const nmap: ReportFormatDefinition = {
  tool: 'Nmap',
  writtenBy: '`nmap -oX`',
  version: '7.95',
  fixture: 'written',
  reads: 'open ports with their service; scripts that report a vulnerability',
  results: ['endpoint'],
  severities: { 'open port': 'info', 'VULNERABLE in the output of a script': 'high' },
  startSign: /<nmaprun\b/,
  reader: {
    xml: () => ({
      roots: ['nmaprun'],
      hasDoctype: true,
      starts: ['nmaprun'],
      elements: ['host'],
      *take(element): Iterable<ReportItem> {
        if (element.name === 'nmaprun') yield toolItem('Nmap', element.attributes['version']);
        else yield* hostOf(element);
      },
    }),
  },
};

function* hostOf(host: XmlElement): Iterable<ReportItem> {
  const name = childNamed(childNamed(host, 'hostnames'), 'hostname')?.attributes['name'];
  const url = name ?? childNamed(host, 'address')?.attributes['addr'];
  for (const port of childrenNamed(childNamed(host, 'ports'), 'port')) {
    if (childNamed(port, 'state')?.attributes['state'] !== 'open') continue;
    const { portid = '', protocol = '' } = port.attributes;
    const service = childNamed(port, 'service')?.attributes ?? {};
    const place = { url, port: `${portid}/${protocol}` };
    const what = [service['product'], service['version'], service['extrainfo']].filter(Boolean).join(' ');
    yield endpointResult({
      ...place,
      rule: 'open-port',
      title: `Open port ${portid}/${protocol}${service['name'] ? ` (${service['name']})` : ''}`,
      evidence: what,
      severity: 'info',
    });
    for (const script of childrenNamed(port, 'script')) yield* scriptOf(script, place);
  }
  const place = { url };
  for (const script of childrenNamed(childNamed(host, 'hostscript'), 'script')) yield* scriptOf(script, place);
}

function* scriptOf({ attributes }: XmlElement, place: { url: unknown; port?: unknown }): Iterable<ReportItem> {
  const { id, output = '' } = attributes;
  if (!/\bVULNERABLE\b/.test(output) || /\bNOT VULNERABLE\b/.test(output)) return;
  yield endpointResult({ ...place, rule: id, title: id, evidence: output.trim(), severity: 'high', cwes: output });
}
