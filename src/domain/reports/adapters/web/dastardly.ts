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

export const dastardly: ReportFormatDefinition = {
  tool: 'Dastardly',
  writtenBy: 'Dastardly, its JUnit report',
  version: '2024',
  fixture: 'written',
  reads: 'failed tests with severity, confidence, host and path',
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
            message: htmlText(failure.attributes['message'] ?? failure.text),
            severity: severityOf(lineOf(failure.text, 'Severity') ?? failure.attributes['type']),
            cwes: failure.text,
          });
        },
      };
    },
  },
};
