import { object } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { firstWord, inside, secretResult, word } from '../result-items.ts';

export const trufflehog: ReportFormatDefinition = {
  tool: 'TruffleHog',
  writtenBy: '`trufflehog git|filesystem|… --json`',
  version: '3.88',
  fixture: 'written',
  reads: 'one secret a line, where it was found, whether it works',
  results: ['secret'],
  severities: { verified: 'critical', unverified: 'high' },
  signs: [
    ['SourceMetadata', 'DetectorName'],
    ['[].SourceMetadata', '[].DetectorName'],
  ],
  reader: {
    jsonLines: () => ({
      members: ['DetectorName'],
      canBeEmpty: true,
      *take(found): Iterable<ReportItem> {
        // Messages of the log are written between the results.
        const detector = word(found['DetectorName']);
        if (detector === undefined) return;
        const [source] = Object.values(object(inside(found, 'SourceMetadata', 'Data')));
        const place = object(source);
        const isVerified = found['Verified'] === true;
        const isFailed = firstWord(found['VerificationError'], found['verificationError']) !== undefined;
        yield secretResult({
          rule: detector,
          file: firstWord(place['file'], place['link'], place['path']),
          line: place['line'],
          title: `${detector} credential`,
          severity: isVerified ? 'critical' : 'high',
          value: firstWord(found['RawV2'], found['Raw']),
          validation: isVerified ? 'confirmed_valid' : isFailed ? 'validation_error' : 'no_validator',
        });
      },
    }),
  },
};
