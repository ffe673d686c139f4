import { normalisePath } from '../../identity/report-paths.ts';
import {
  type LooseObject,
  list,
  nonEmptyTexts,
  number,
  object,
  objects,
  position,
  text,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedFinding, ReportItem, SourceRegion } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { severityOf } from '../taxonomy.ts';

/** Adapter for linters whose JSON is a plain list of findings. */
function linter(
  path: string,
  findingOf: (value: LooseObject) => ReportedFinding | 'failed' | undefined,
  pathOf: (value: LooseObject) => unknown,
): JsonAdapter {
  const pathsFailed: string[] = [];
  return {
    required: [path.replace(/\[\]$/, '$')],
    paths: [path],
    *take({ value }): Iterable<ReportItem> {
      const found = findingOf(object(value));
      const file = text(pathOf(object(value)));
      if (found === 'failed' && file !== undefined) pathsFailed.push(normalisePath(file));
      else if (typeof found === 'object') yield { kind: 'finding', ...found };
    },
    *finish(): Iterable<ReportItem> {
      if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
    },
  };
}

const regionOf = (start: LooseObject, end: LooseObject, line = 'line'): SourceRegion => ({
  line: position(start[line]),
  column: position(start['column']),
  endLine: position(end[line]) || position(start[line]),
  endColumn: position(end['column']),
});

/** `ruff check --output-format json`. */
export const ruff = (): JsonAdapter =>
  linter(
    '[]',
    (value) => {
      const rule = text(value['code']);
      // No code, or this one: the file could not be parsed.
      if (rule === undefined || rule === 'invalid-syntax') return 'failed';
      const [edit] = objects(object(value['fix'])['edits']);
      return withoutUndefined({
        product: 'sast' as const,
        rule,
        path: normalisePath(text(value['filename']) ?? ''),
        region: regionOf(object(value['location']), object(value['end_location']), 'row'),
        message: text(value['message']) ?? rule,
        title: text(value['name']),
        severity: severityOf(value['severity']),
        references: nonEmptyTexts(value['url']),
        fingerprints: {},
        fix: text(edit?.['content']),
      });
    },
    (value) => value['filename'],
  );

/** `oxlint -f json`. */
export const oxlint = (): JsonAdapter =>
  linter(
    'diagnostics[]',
    (value) => {
      const rule = text(value['code']);
      if (rule === undefined) return 'failed';
      const span = object(object(list(value['labels'])[0])['span']);
      return withoutUndefined({
        product: 'sast' as const,
        rule,
        path: normalisePath(text(value['filename']) ?? ''),
        region: regionOf(span, {}),
        message: text(value['message']) ?? rule,
        severity: severityOf(value['severity']),
        references: nonEmptyTexts(value['url']),
        fingerprints: {},
      });
    },
    (value) => value['filename'],
  );

/** `biome lint --reporter=json`. */
export const biome = (): JsonAdapter => {
  const pathOf = (value: LooseObject) => {
    const path = object(value['location'])['path'];
    return text(path) ?? text(object(path)['file']);
  };
  return linter(
    'diagnostics[]',
    (value) => {
      const rule = text(value['category']);
      if (rule === 'parse') return 'failed';
      if (!rule?.startsWith('lint/')) return undefined;
      const location = object(value['location']);
      const parts = objects(value['message']).map((entry) => text(entry['content']) ?? '');
      return withoutUndefined({
        product: 'sast' as const,
        rule,
        path: normalisePath(pathOf(value) ?? ''),
        region: regionOf(object(location['start']), object(location['end'])),
        message: text(value['message']) ?? (parts.join('') || rule),
        severity: severityOf(value['severity']),
        category: rule.split('/')[1] || undefined,
        fingerprints: {},
      });
    },
    pathOf,
  );
};

/** `ast-grep scan --json`; lines and columns are zero-based. */
export const astGrep = (): JsonAdapter =>
  linter(
    '[]',
    (value) => {
      const rule = text(value['ruleId']);
      if (rule === undefined) return undefined;
      const [start, end] = [object(object(value['range'])['start']), object(object(value['range'])['end'])];
      const fromOne = (zeroBased: unknown) => position((number(zeroBased) ?? -1) + 1);
      return withoutUndefined({
        product: 'sast' as const,
        rule,
        path: normalisePath(text(value['file']) ?? ''),
        region: {
          line: fromOne(start['line']),
          column: fromOne(start['column']),
          endLine: fromOne(end['line']),
          endColumn: fromOne(end['column']),
        },
        message: text(value['message']) ?? rule,
        severity: severityOf(value['severity']),
        code: text(value['lines']) ?? text(value['text']),
        fingerprints: {},
        fix: text(value['replacement']),
      });
    },
    (value) => value['file'],
  );
