import { number, object, text, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, componentResult, inside, toolItem, word } from '../result-items.ts';
import { severityOf, severityOfScore } from '../taxonomy.ts';

const FILE = 'Gemfile.lock';

export const bundlerAudit: ReportFormatDefinition = {
  tool: 'bundler-audit',
  writtenBy: '`bundle-audit check --format json`',
  version: '0.9',
  fixture: 'written',
  reads: 'gems that need an update, and sources without TLS',
  results: ['component', 'code'],
  signs: [
    ['results[].gem', 'results[].advisory'],
    ['results[]', 'created_at', 'version'],
  ],
  reader: {
    json: () => ({
      required: ['results$'],
      paths: ['version', 'results[]'],
      *take({ path, value }): Iterable<ReportItem> {
        if (path === 'version') yield toolItem('bundler-audit', value);
        else if (object(value)['type'] === 'insecure_source')
          yield codeResult({
            rule: 'insecure-source',
            file: FILE,
            message: `The source ${word(object(value)['source']) ?? ''} is not encrypted.`,
            severity: 'medium',
            scope: object(value)['source'],
          });
        else yield gemOf(object(value));
      },
    }),
  },
};

function gemOf(result: Record<string, unknown>): ReportItem {
  const advisory = object(result['advisory']);
  const [cve, ghsa] = [text(advisory['cve']), text(advisory['ghsa'])];
  const score = number(advisory['cvss_v3']) ?? number(advisory['cvss_v2']);
  return componentResult({
    advisories: [cve && `CVE-${cve}`, ghsa && `GHSA-${ghsa}`, advisory['id']],
    package: inside(result, 'gem', 'name'),
    version: inside(result, 'gem', 'version'),
    ecosystem: 'gem',
    file: FILE,
    title: advisory['title'],
    message: advisory['description'],
    severity: severityOf(advisory['criticality']) ?? (score === undefined ? undefined : severityOfScore(score)),
    references: advisory['url'],
    // `~> 2.0.9, >= 2.0.9.1`: the last condition is the narrowest.
    fixVersions: texts(advisory['patched_versions']).map((range) =>
      range
        .split(',')
        .at(-1)
        ?.replace(/^[~>=\s]+/, ''),
    ),
  });
}
