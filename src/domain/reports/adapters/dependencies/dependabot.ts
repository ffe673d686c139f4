import { type LooseObject, objects, texts } from '../../json/loose-values.ts';
import type { ReportedDecision, ReportItem } from '../../report-items.ts';
import { ecosystemOf } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, inside, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const REASONS: Record<string, ReportedDecision['reason']> = {
  inaccurate: 'false_positive',
  not_used: 'false_positive',
  tolerable_risk: 'acceptable_risk',
  no_bandwidth: 'no_time',
};

export const dependabot: ReportFormatDefinition = {
  tool: 'Dependabot',
  writtenBy: 'GitHub, `GET /repos/{owner}/{repo}/dependabot/alerts`',
  version: '2022-11-28',
  fixture: 'written',
  reads: 'open alerts, and dismissed ones as ignored with their reason and comment',
  results: ['component', 'decision'],
  signs: [['[].security_advisory', '[].security_vulnerability', '[].dependency']],
  reader: {
    jsonLines: () => ({
      members: ['security_advisory'],
      canBeEmpty: true,
      *take(alert): Iterable<ReportItem> {
        if (alert['state'] === 'fixed') return;
        const item = alertOf(alert);
        yield item;
        if (item.kind === 'finding' && /dismissed$/.test(word(alert['state']) ?? '')) yield decisionOf(alert);
      },
    }),
  },
};

function alertOf(alert: LooseObject): ReportItem {
  const dependency = inside(alert, 'dependency');
  const advisory = inside(alert, 'security_advisory');
  return componentResult({
    advisories: [inside(advisory, 'cve_id'), inside(advisory, 'ghsa_id')],
    package: inside(dependency, 'package', 'name'),
    ecosystem: ecosystemOf(inside(dependency, 'package', 'ecosystem')),
    file: inside(dependency, 'manifest_path'),
    title: inside(advisory, 'summary'),
    message: inside(advisory, 'description'),
    severity: severityOf(inside(alert, 'security_vulnerability', 'severity') ?? inside(advisory, 'severity')),
    cwes: objects(inside(advisory, 'cwes')).map((entry) => entry['cwe_id']),
    references: [...texts(alert['html_url']), ...objects(inside(advisory, 'references')).map((entry) => entry['url'])],
    transitivity: relationshipOf(inside(dependency, 'relationship')),
    fixVersions: inside(alert, 'security_vulnerability', 'first_patched_version', 'identifier'),
  });
}

const relationshipOf = (word: unknown) => (word === 'direct' || word === 'transitive' ? word : 'unknown');

export function decisionOf(alert: LooseObject): ReportItem {
  const reason = REASONS[word(alert['dismissed_reason']) ?? ''];
  const note = word(alert['dismissed_comment']);
  return { kind: 'decision', source: 'sarif', state: 'ignored', ...(reason && { reason }), ...(note && { note }) };
}
