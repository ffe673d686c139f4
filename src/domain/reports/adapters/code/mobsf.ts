import { type LooseObject, object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, toolItem } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = { high: 'high', warning: 'medium', info: 'info', medium: 'medium', low: 'low' } as const;
const MANIFEST = 'manifest_analysis.manifest_findings[]';

export const mobsf: ReportFormatDefinition = {
  tool: 'MobSF',
  writtenBy: 'MobSF, `POST /api/v1/report_json`',
  version: '4.2',
  fixture: 'written',
  reads: 'findings of the code analysis by file and line, and of the manifest; `secure` ones are not findings',
  results: ['code'],
  severities: SEVERITIES,
  signs: [
    ['code_analysis', 'app_name'],
    ['code_analysis.findings', 'manifest_analysis'],
  ],
  reader: {
    json: () => ({
      required: ['code_analysis{}', 'manifest_analysis{}'],
      paths: ['version', 'code_analysis.findings.*', MANIFEST],
      *take({ path, value, key }): Iterable<ReportItem> {
        if (path === 'version') yield toolItem('MobSF', text(value)?.replace(/^v/, ''));
        else if (path === MANIFEST) yield* manifestOf(object(value));
        else yield* ruleOf(key ?? '', object(value));
      },
    }),
  },
};

function* manifestOf(found: LooseObject): Iterable<ReportItem> {
  const severity = severityIn(SEVERITIES, found['severity']);
  if (severity === undefined) return;
  yield codeResult({
    rule: found['rule'],
    file: 'AndroidManifest.xml',
    title: found['name'],
    message: found['description'] ?? found['title'],
    severity,
    scope: [found['component']].flat().join(' '),
  });
}

/** The lines of a file are written as `12,34`. */
function* ruleOf(rule: string, value: LooseObject): Iterable<ReportItem> {
  const metadata = object(value['metadata']);
  const severity = severityIn(SEVERITIES, metadata['severity']);
  if (severity === undefined) return;
  for (const [file, lines] of Object.entries(object(value['files']))) {
    for (const line of text(lines)?.split(',') ?? [undefined])
      yield codeResult({
        rule,
        file,
        line,
        message: metadata['description'],
        severity,
        cwes: metadata['cwe'],
        references: metadata['ref'],
      });
  }
}
