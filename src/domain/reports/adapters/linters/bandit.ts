import { normalisePath } from '../../identity/report-paths.ts';
import type { JsonPart } from '../../json/json-scanner.ts';
import {
  addAll,
  type LooseObject,
  list,
  nonEmptyTexts,
  number,
  object,
  position,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedFinding, ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { maskCode } from '../mask-secrets.ts';
import { confidenceOf, cwesIn, severityOf } from '../taxonomy.ts';

/** `bandit -f json`. */
export function bandit(): JsonAdapter {
  const pathsSearched: string[] = [];
  const pathsFailed: string[] = [];
  return {
    required: ['results$'],
    paths: ['results[]', 'errors[]', 'metrics.*'],
    *take({ path, value, key }: JsonPart): Iterable<ReportItem> {
      if (path === 'results[]') yield* findingOf(object(value));
      else if (path === 'errors[]') addAll(pathsFailed, texts(object(value)['filename']).map(normalisePath));
      else if (key !== undefined && key !== '' && key !== '_totals') pathsSearched.push(normalisePath(key));
    },
    *finish(): Iterable<ReportItem> {
      const searched = pathsSearched.length > 0 ? pathsSearched : undefined;
      const failed = pathsFailed.length > 0 ? pathsFailed : undefined;
      if (searched || failed)
        yield { kind: 'coverage', ...withoutUndefined({ pathsSearched: searched, pathsFailed: failed }) };
    },
  };
}

/** These rules quote the password in their message. */
const ABOUT_PASSWORDS = /^B10[567]$/;

function* findingOf(result: LooseObject): Iterable<ReportItem> {
  const rule = text(result['test_id']);
  if (rule === undefined) {
    yield { kind: 'warning', message: 'A result has no test_id; it was left out.' };
    return;
  }
  const range = list(result['line_range']).map(position);
  const line = position(result['line_number']);
  const endLine = Math.max(line, range.at(-1) ?? 0);
  const cwe = number(object(result['issue_cwe'])['id']);
  const finding: ReportedFinding = withoutUndefined({
    product: 'sast' as const,
    rule,
    path: normalisePath(text(result['filename']) ?? ''),
    region: { line, column: columnOf(result['col_offset']), endLine, endColumn: columnOf(result['end_col_offset']) },
    message: text(result['issue_text']) ?? rule,
    title: text(result['test_name']),
    severity: severityOf(result['issue_severity']),
    confidence: confidenceOf(result['issue_confidence']),
    cwes: cwe === undefined ? undefined : cwesIn([`CWE-${cwe}`]),
    references: nonEmptyTexts(result['more_info']),
    ...codeOf(text(result['code']) ?? '', line, endLine),
    fingerprints: {},
  });
  yield { kind: 'finding', ...(ABOUT_PASSWORDS.test(rule) ? withoutPassword(finding) : finding) };
}

const columnOf = (offset: unknown) => position((number(offset) ?? -1) + 1);

function codeOf(numbered: string, line: number, endLine: number) {
  const rows = [...numbered.matchAll(/^(\d+) ?(.*)$/gm)].map(([, at, row = '']) => ({ at: Number(at), row }));
  const joined = (some: typeof rows) => some.map(({ row }) => row).join('\n') || undefined;
  return withoutUndefined({
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
    ...(code === undefined ? {} : { code: maskCode(code, password) }),
    ...(context === undefined ? {} : { context: maskCode(context, password) }),
  };
}
