import type { ReportedSecret, ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { inside, secretResult, word } from '../result-items.ts';

const VALIDITIES: Record<string, ReportedSecret['validation']> = {
  active: 'confirmed_valid',
  inactive: 'confirmed_invalid',
};
const REASONS = {
  false_positive: 'false_positive',
  used_in_tests: 'acceptable_risk',
  wont_fix: 'acceptable_risk',
} as const;

export const githubSecrets: ReportFormatDefinition = {
  tool: 'GitHub secret scanning',
  writtenBy: 'GitHub, `GET /repos/{owner}/{repo}/secret-scanning/alerts`',
  version: '2022-11-28',
  fixture: 'written',
  reads: 'open alerts, and those resolved without a change as ignored; revoked ones are not findings',
  results: ['secret', 'decision'],
  severities: { active: 'critical', '(other)': 'high' },
  signs: [
    ['[].secret_type', '[].secret_type_display_name'],
    ['[].secret_type', '[].locations_url'],
  ],
  reader: {
    jsonLines: () => ({
      members: ['secret_type'],
      canBeEmpty: true,
      *take(alert): Iterable<ReportItem> {
        const resolution = word(alert['resolution']) ?? '';
        const reason = Object.hasOwn(REASONS, resolution) ? REASONS[resolution as keyof typeof REASONS] : undefined;
        if (alert['state'] === 'resolved' && reason === undefined) return;
        const place = inside(alert, 'first_location_detected');
        const validity = word(alert['validity']) ?? '';
        const item = secretResult({
          rule: alert['secret_type'],
          file: inside(place, 'path'),
          line: inside(place, 'start_line'),
          endLine: inside(place, 'end_line'),
          title: alert['secret_type_display_name'],
          severity: validity === 'active' ? 'critical' : 'high',
          references: alert['html_url'],
          value: alert['secret'],
          validation: VALIDITIES[validity] ?? 'no_validator',
        });
        yield item;
        const note = word(alert['resolution_comment']);
        if (item.kind === 'finding' && reason)
          yield { kind: 'decision', source: 'sarif', state: 'ignored', reason, ...(note && { note }) };
      },
    }),
  },
};
