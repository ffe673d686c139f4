import { type LooseObject, list, object, objects } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, toolItem } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = { error: 'high', warning: 'medium', info: 'low' } as const;

/** The matches of a rule in the form of libsast, which several scanners share. */
export function* libsastRule(rule: string, value: LooseObject): Iterable<ReportItem> {
  const metadata = object(value['metadata']);
  for (const match of objects(value['files'])) {
    const [line, endLine] = list(match['match_lines']);
    const [column, endColumn] = list(match['match_position']);
    yield codeResult({
      rule,
      file: match['file_path'],
      line,
      endLine,
      column,
      endColumn,
      message: metadata['description'],
      severity: severityIn(SEVERITIES, metadata['severity']),
      cwes: metadata['cwe'],
      references: metadata['reference'],
      code: match['match_string'],
    });
  }
}

export const njsscan: ReportFormatDefinition = {
  tool: 'njsscan',
  writtenBy: '`njsscan --json`, `mobsfscan --json`',
  version: '1.0',
  fixture: 'recorded',
  reads: 'matches of rules in code and templates, errors',
  closes: 'what is missing from the report, if it has no errors',
  results: ['code'],
  severities: SEVERITIES,
  signs: [['njsscan_version'], ['nodejs', 'templates'], ['mobsfscan_version']],
  reader: {
    json: () => ({
      required: ['njsscan_version', 'mobsfscan_version'],
      paths: ['njsscan_version', 'errors[]', 'nodejs.*', 'templates.*', 'results.*'],
      *take({ path, value, key = '' }): Iterable<ReportItem> {
        if (path === 'njsscan_version') yield toolItem('njsscan', value);
        else if (path === 'errors[]') yield { kind: 'coverage', isIncomplete: true };
        else yield* libsastRule(key, object(value));
      },
    }),
  },
};
