import { type LooseObject, object, objects } from '../../json/loose-values.ts';
import type { ReportedSecret, ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { secretResult, word } from '../result-items.ts';

const VALIDITIES: Record<string, ReportedSecret['validation']> = {
  valid: 'confirmed_valid',
  invalid: 'confirmed_invalid',
  failed_to_check: 'validation_error',
};

export const ggshield: ReportFormatDefinition = {
  tool: 'ggshield',
  writtenBy: '`ggshield secret scan … --json`',
  version: '1.35',
  fixture: 'written',
  reads: 'incidents by file, with the hash of the value and its validity; the value itself is masked',
  results: ['secret'],
  severities: { valid: 'critical', '(other)': 'high' },
  signs: [
    ['entities_with_incidents[]'],
    ['scans[].entities_with_incidents[]'],
    ['total_incidents', 'total_occurrences'],
  ],
  reader: {
    json: () => ({
      required: ['entities_with_incidents$', 'scans$', 'total_incidents#'],
      paths: ['entities_with_incidents[]', 'scans[].entities_with_incidents[]'],
      *take({ value }): Iterable<ReportItem> {
        const file = object(value);
        for (const incident of objects(file['incidents']))
          for (const place of objects(incident['occurrences'])) yield occurrenceOf(incident, place, file);
      },
    }),
  },
};

function occurrenceOf(incident: LooseObject, place: LooseObject, file: LooseObject): ReportItem {
  const validity = word(incident['validity']) ?? '';
  return secretResult({
    rule: incident['type'],
    file: file['filename'],
    line: place['line_start'],
    endLine: place['line_end'],
    title: incident['type'],
    severity: validity === 'valid' ? 'critical' : 'high',
    references: incident['incident_url'],
    valueDigest: incident['ignore_sha'],
    validation: VALIDITIES[validity] ?? 'no_validator',
  });
}
