import { normalisePath } from '../../identity/report-paths.ts';
import { type LooseObject, object, objects, position, text, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportedFinding, ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { linesAround } from '../source-lines.ts';

/** `eslint -f json`: one element per file. */
export function eslint(): JsonAdapter {
  const pathsSearched: string[] = [];
  const pathsFailed: string[] = [];
  return {
    required: ['$'],
    paths: ['[]'],
    *take({ value }): Iterable<ReportItem> {
      const file = object(value);
      const path = normalisePath(text(file['filePath']) ?? '');
      const rows = text(file['source'])?.split('\n');
      if (path !== '') pathsSearched.push(path);
      for (const message of objects(file['messages'])) {
        const rule = text(message['ruleId']);
        // A message without a rule is not a finding: the file could not be parsed, or the configuration is wrong.
        if (rule !== undefined) yield { kind: 'finding', ...findingOf(message, rule, { path, rows }) };
        else if (message['fatal'] === true && path !== '') pathsFailed.push(path);
      }
      for (const message of objects(file['suppressedMessages'])) {
        const rule = text(message['ruleId']);
        if (rule === undefined) continue;
        yield { kind: 'finding', ...findingOf(message, rule, { path, rows }), isIgnoredInCode: true };
      }
    },
    *finish(): Iterable<ReportItem> {
      const failed = pathsFailed.length > 0 ? pathsFailed : undefined;
      if (pathsSearched.length > 0)
        yield { kind: 'coverage', ...withoutUndefined({ pathsSearched, pathsFailed: failed }) };
    },
  };
}

function findingOf(
  message: LooseObject,
  rule: string,
  { path, rows }: { path: string; rows: string[] | undefined },
): ReportedFinding {
  const line = position(message['line']);
  const endLine = position(message['endLine']) || line;
  return withoutUndefined({
    product: 'sast' as const,
    rule,
    path,
    region: { line, column: position(message['column']), endLine, endColumn: position(message['endColumn']) },
    message: text(message['message']) ?? rule,
    severity: message['severity'] === 2 ? ('high' as const) : ('medium' as const),
    ...linesAround(rows, line, endLine),
    fingerprints: {},
    fix: text(object(message['fix'])['text']),
  });
}
