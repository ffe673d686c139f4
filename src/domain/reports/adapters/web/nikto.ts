import { objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { urlsIn } from '../html-text.ts';
import { endpointResult, firstWord, word } from '../result-items.ts';

const SECURE_PORTS = new Set(['443', '8443']);

export const nikto: ReportFormatDefinition = {
  tool: 'Nikto',
  writtenBy: '`nikto -Format json`',
  version: '2.5',
  fixture: 'written',
  reads: 'vulnerabilities with host, path and method; Nikto gives no severity',
  results: ['endpoint'],
  severities: { '(any)': 'low' },
  signs: [
    ['[].host', '[].vulnerabilities[].msg'],
    ['host', 'banner', 'vulnerabilities[]'],
    ['[].host', '[].banner', '[].vulnerabilities'],
  ],
  reader: {
    jsonLines: () => ({
      members: ['vulnerabilities'],
      *take(site): Iterable<ReportItem> {
        const port = word(site['port']) ?? '';
        const scheme = SECURE_PORTS.has(port) ? 'https' : 'http';
        const host = firstWord(site['host'], site['ip']) ?? '';
        const server = `${scheme}://${host}${port === '' ? '' : `:${port}`}`;
        for (const found of objects(site['vulnerabilities']))
          yield endpointResult({
            rule: found['id'],
            url: server + (text(found['url']) ?? ''),
            method: found['method'],
            message: found['msg'],
            severity: 'low',
            references: urlsIn(text(found['references'])),
          });
      },
    }),
  },
};
