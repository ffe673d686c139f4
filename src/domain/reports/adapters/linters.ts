import type { JsonAdapter } from '../adapter.ts';
import { tidyPath } from '../paths.ts';
import { type Loose, list, number, object, objects, position, present, someTexts, text } from '../reading.ts';
import type { Region, Reported, ReportedFinding } from '../reported.ts';
import { severityOf } from '../weakness.ts';

/** Linters whose JSON is a plain list of findings. */
function linter(
  path: string,
  findingOf: (value: Loose) => ReportedFinding | 'failed' | undefined,
  pathOf: (value: Loose) => unknown,
): JsonAdapter {
  const pathsFailed: string[] = [];
  return {
    required: [path.replace(/\[\]$/, '$')],
    paths: [path],
    *take({ value }): Iterable<Reported> {
      const found = findingOf(object(value));
      const file = text(pathOf(object(value)));
      if (found === 'failed' && file !== undefined) pathsFailed.push(tidyPath(file));
      else if (typeof found === 'object') yield { kind: 'finding', ...found };
    },
    *finish(): Iterable<Reported> {
      if (pathsFailed.length > 0) yield { kind: 'coverage', pathsFailed };
    },
  };
}

const regionOf = (start: Loose, end: Loose, line = 'line'): Region => ({
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
      // Without a code, or with this one, the file could not be parsed.
      if (rule === undefined || rule === 'invalid-syntax') return 'failed';
      const [edit] = objects(object(value['fix'])['edits']);
      return present({
        product: 'sast' as const,
        rule,
        path: tidyPath(text(value['filename']) ?? ''),
        region: regionOf(object(value['location']), object(value['end_location']), 'row'),
        message: text(value['message']) ?? rule,
        title: text(value['name']),
        severity: severityOf(value['severity']),
        references: someTexts(value['url']),
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
      return present({
        product: 'sast' as const,
        rule,
        path: tidyPath(text(value['filename']) ?? ''),
        region: regionOf(span, {}),
        message: text(value['message']) ?? rule,
        severity: severityOf(value['severity']),
        references: someTexts(value['url']),
        fingerprints: {},
      });
    },
    (value) => value['filename'],
  );

/** `biome lint --reporter=json`. */
export const biome = (): JsonAdapter => {
  const pathOf = (value: Loose) => {
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
      const parts = objects(value['message']).map((one) => text(one['content']) ?? '');
      return present({
        product: 'sast' as const,
        rule,
        path: tidyPath(pathOf(value) ?? ''),
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

/** `ast-grep scan --json`; it counts lines and columns from 0. */
export const astGrep = (): JsonAdapter =>
  linter(
    '[]',
    (value) => {
      const rule = text(value['ruleId']);
      if (rule === undefined) return undefined;
      const [start, end] = [object(object(value['range'])['start']), object(object(value['range'])['end'])];
      const fromOne = (place: unknown) => position((number(place) ?? -1) + 1);
      return present({
        product: 'sast' as const,
        rule,
        path: tidyPath(text(value['file']) ?? ''),
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
