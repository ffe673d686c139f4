import { type LooseObject, nonEmptyTexts, object, objects, text, texts } from '../json/loose-values.ts';
import type { ReportItem } from '../report-items.ts';
import type { JsonAdapter } from './adapter.ts';
import { firstWord, toolItem, word } from './result-items.ts';
import { confidenceOf, severityOf } from './taxonomy.ts';

/** The frame that GitLab's security reports share: scanner, status and a list of vulnerabilities. */
export function gitlabScan(take: (value: LooseObject) => Iterable<ReportItem>): JsonAdapter {
  let isIncomplete = false;
  return {
    required: ['vulnerabilities$'],
    paths: ['scan.scanner', 'scan.status', 'vulnerabilities[]'],
    *take({ path, value }): Iterable<ReportItem> {
      if (path === 'vulnerabilities[]') yield* take(object(value));
      else if (path === 'scan.status') isIncomplete = value !== 'success';
      else {
        const name = firstWord(object(value)['name'], object(value)['id']);
        if (name !== undefined) yield toolItem(name, object(value)['version']);
      }
    },
    *finish(): Iterable<ReportItem> {
      if (isIncomplete) yield { kind: 'coverage', isIncomplete };
    },
  };
}

/** What a vulnerability says, whatever its location. */
export function gitlabFacts(value: LooseObject) {
  const identifiers = objects(value['identifiers']).map((entry) => ({
    type: text(entry['type'])?.toLowerCase() ?? '',
    value: word(entry['value']) ?? word(entry['name']) ?? '',
  }));
  return {
    identifiers,
    title: value['name'],
    message: firstWord(value['message'], value['description'], value['name']),
    severity: severityOf(value['severity']),
    confidence: confidenceOf(value['confidence']),
    cwes: identifiers.filter(({ type }) => type === 'cwe').map((entry) => entry.value),
    references: nonEmptyTexts(objects(value['links']).flatMap((link) => texts(link['url']))),
  };
}
