import { type LooseObject, list, object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { ecosystemOf } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, componentResult, firstWord, inside, secretResult, toolItem, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const FAILED = 'results.failed_checks[]';
const ERRORS = 'results.parsing_errors[]';
const MEMBERS = ['check_type', FAILED, ERRORS, 'summary.checkov_version'];

export const checkov: ReportFormatDefinition = {
  tool: 'Checkov',
  writtenBy: '`checkov -o json`',
  version: '3.3',
  fixture: 'recorded',
  reads: 'failed checks with file, lines and resource; those of secrets and packages by their kind; files that failed',
  results: ['code', 'secret', 'component'],
  closes: 'what is missing from the report, except in files that failed',
  signs: [
    ['check_type', 'results.failed_checks[]'],
    ['[].check_type', '[].results.failed_checks[]'],
    ['results.failed_checks[]', 'summary'],
    ['passed', 'failed', 'checkov_version'],
  ],
  reader: {
    json: () => {
      const pathsFailed: string[] = [];
      let type = '';
      return {
        // Without any file to check, only the summary is written.
        required: ['results.failed_checks$', '[].results.failed_checks$', 'checkov_version'],
        paths: MEMBERS.flatMap((name) => [name, `[].${name}`]),
        *take({ path, value }): Iterable<ReportItem> {
          const member = path.replace('[].', '');
          if (member === 'check_type') type = text(value) ?? '';
          else if (member === FAILED) yield checkOf(object(value), type);
          else if (member === ERRORS) pathsFailed.push(...[fileOf(value)].filter((path) => path !== ''));
          else yield toolItem('Checkov', value);
        },
        *finish(): Iterable<ReportItem> {
          if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
        },
      };
    },
  },
};

/** Paths start with the folder that was scanned, written as a slash. */
const fileOf = (path: unknown) => (text(path) ?? '').replace(/^\/+/, '');

function checkOf(check: LooseObject, type: string): ReportItem {
  const [line, endLine] = list(check['file_line_range']);
  const details = inside(check, 'vulnerability_details');
  const facts = {
    rule: check['check_id'],
    file: fileOf(firstWord(check['repo_file_path'], check['file_path'])),
    line,
    endLine,
    title: check['check_name'],
    severity: severityOf(check['severity']),
    references: check['guideline'],
  };
  if (type === 'secrets')
    return secretResult({ ...facts, valueDigest: check['resource'], severity: facts.severity ?? 'high' });
  if (word(inside(details, 'id')) !== undefined)
    return componentResult({
      ...facts,
      advisories: [inside(details, 'id')],
      package: inside(details, 'package_name'),
      version: inside(details, 'package_version'),
      ecosystem: ecosystemOf(inside(details, 'package_type')),
      message: inside(details, 'description'),
      severity: severityOf(inside(details, 'severity')),
    });
  const rows = list(check['code_block']).flatMap((row) => text(list(row)[1]) ?? []);
  return codeResult({ ...facts, category: 'infrastructure', scope: check['resource'], code: rows.join('') });
}
