import type { ReportItem } from '../../report-items.ts';
import { childNamed } from '../../xml/xml-element-reader.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { htmlText } from '../html-text.ts';
import { endpointResult } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

/** `Host: https://example.test` in the text of a failure. */
const lineOf = (text: string, name: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim();

const HEADINGS = [
  ...['Issue Detail', 'Issue Background', 'Remediation Detail', 'Remediation Background', 'Evidence', 'References'],
  'Vulnerability Classifications',
];

/** What follows a heading, up to the next one. Requests and responses are under `Evidence`, which is not stored. */
function sectionOf(text: string, heading: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const start = lines.indexOf(heading);
  if (start === -1) return undefined;
  const end = lines.findIndex((line, at) => at > start && HEADINGS.includes(line));
  return (
    lines
      .slice(start + 1, end === -1 ? undefined : end)
      .join('\n')
      .trim() || undefined
  );
}

export const dastardly: ReportFormatDefinition = {
  tool: 'Dastardly',
  writtenBy: 'Dastardly, its JUnit report',
  version: '2024',
  fixture: 'written',
  reads: 'failed tests with severity, host, path, detail and classification; requests and responses are not stored',
  results: ['endpoint'],
  startSign: /dastardly|<failure[^>]{0,2000}\btype="(High|Medium|Low|Information)"/i,
  reader: {
    xml: () => {
      let address = '';
      return {
        roots: ['testsuites'],
        starts: ['testsuite'],
        elements: ['testcase'],
        *take(element): Iterable<ReportItem> {
          if (element.name === 'testsuite') {
            address = element.attributes['name'] ?? '';
            return;
          }
          const failure = childNamed(element, 'failure');
          if (!failure) return;
          const [host, path] = [lineOf(failure.text, 'Host'), lineOf(failure.text, 'Path')];
          yield endpointResult({
            rule: element.attributes['name'],
            url: host === undefined ? address : `${host}${path ?? ''}`,
            title: element.attributes['name'],
            message:
              sectionOf(failure.text, 'Issue Detail') ??
              sectionOf(failure.text, 'Issue Background') ??
              htmlText(failure.attributes['message'] ?? ''),
            severity: severityOf(lineOf(failure.text, 'Severity') ?? failure.attributes['type']),
            cwes: sectionOf(failure.text, 'Vulnerability Classifications'),
          });
        },
      };
    },
  },
};
