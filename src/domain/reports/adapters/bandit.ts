import type { JsonAdapter } from '../adapter.ts';
import type { JsonPart } from '../json-scanner.ts';
import { maskedCode } from '../masking.ts';
import { tidyPath } from '../paths.ts';
import { addAll, type Loose, list, number, object, position, present, someTexts, text, texts } from '../reading.ts';
import type { Reported, ReportedFinding } from '../reported.ts';
import { confidenceOf, cwesIn, severityOf } from '../weakness.ts';

/** `bandit -f json`. */
export function bandit(): JsonAdapter {
  const pathsSearched: string[] = [];
  const pathsFailed: string[] = [];
  return {
    required: ['results$'],
    paths: ['results[]', 'errors[]', 'metrics.*'],
    *take({ path, value, key }: JsonPart): Iterable<Reported> {
      if (path === 'results[]') yield* findingOf(object(value));
      else if (path === 'errors[]') addAll(pathsFailed, texts(object(value)['filename']).map(tidyPath));
      else if (key !== undefined && key !== '' && key !== '_totals') pathsSearched.push(tidyPath(key));
    },
    *finish(): Iterable<Reported> {
      const searched = pathsSearched.length > 0 ? pathsSearched : undefined;
      const failed = pathsFailed.length > 0 ? pathsFailed : undefined;
      if (searched || failed) yield { kind: 'coverage', ...present({ pathsSearched: searched, pathsFailed: failed }) };
    },
  };
}

/** These three repeat a password in their message. */
const ABOUT_PASSWORDS = /^B10[567]$/;

function* findingOf(result: Loose): Iterable<Reported> {
  const rule = text(result['test_id']);
  if (rule === undefined) {
    yield { kind: 'warning', message: 'A result has no test_id; it was left out.' };
    return;
  }
  const range = list(result['line_range']).map(position);
  const line = position(result['line_number']);
  const endLine = Math.max(line, range.at(-1) ?? 0);
  const cwe = number(object(result['issue_cwe'])['id']);
  const finding: ReportedFinding = present({
    product: 'sast' as const,
    rule,
    path: tidyPath(text(result['filename']) ?? ''),
    region: { line, column: columnOf(result['col_offset']), endLine, endColumn: columnOf(result['end_col_offset']) },
    message: text(result['issue_text']) ?? rule,
    title: text(result['test_name']),
    severity: severityOf(result['issue_severity']),
    confidence: confidenceOf(result['issue_confidence']),
    cwes: cwe === undefined ? undefined : cwesIn([`CWE-${cwe}`]),
    references: someTexts(result['more_info']),
    ...codeOf(text(result['code']) ?? '', line, endLine),
    fingerprints: {},
  });
  yield { kind: 'finding', ...(ABOUT_PASSWORDS.test(rule) ? withoutPassword(finding) : finding) };
}

const columnOf = (offset: unknown) => position((number(offset) ?? -1) + 1);

function codeOf(numbered: string, line: number, endLine: number) {
  const rows = [...numbered.matchAll(/^(\d+) ?(.*)$/gm)].map(([, at, row = '']) => ({ at: Number(at), row }));
  const joined = (some: typeof rows) => some.map(({ row }) => row).join('\n') || undefined;
  return present({
    code: joined(rows.filter(({ at }) => at >= line && at <= endLine)),
    context: joined(rows),
  });
}

function withoutPassword(finding: ReportedFinding): ReportedFinding {
  const password = /'(.+)'/s.exec(finding.message)?.[1];
  const hidden = (words: string) => (password === undefined ? words : words.replaceAll(password, '********'));
  const { code, context, message } = finding;
  return {
    ...finding,
    message: hidden(message),
    ...(code === undefined ? {} : { code: maskedCode(code, password) }),
    ...(context === undefined ? {} : { context: maskedCode(context, password) }),
  };
}
