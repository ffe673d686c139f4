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
import type { ReportedFinding, ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { withoutSecret } from '../mask-secrets.ts';
import { linesAround } from '../source-lines.ts';
import { severityOf } from '../taxonomy.ts';

/** Longer than any key; each result names a range of the whole source. */
const MAX_SECRET_LENGTH = 20_000;

/** `secretlint --format json`: one element per file, with its whole source. */
export function secretlint(): JsonAdapter {
  const pathsSearched: string[] = [];
  return {
    required: ['$'],
    paths: ['[]'],
    *take({ value }): Iterable<ReportItem> {
      const file = object(value);
      const path = normalisePath(text(file['filePath']) ?? '');
      if (path !== '') pathsSearched.push(path);
      const source = text(file['sourceContent']);
      const rows = source?.split('\n');
      for (const message of objects(file['messages'])) {
        yield { kind: 'finding', ...withoutSecret(findingOf(message, path, { source, rows })) };
      }
    },
    *finish(): Iterable<ReportItem> {
      if (pathsSearched.length > 0) yield { kind: 'coverage', pathsSearched };
    },
  };
}

interface Source {
  source: string | undefined;
  rows: string[] | undefined;
}

function findingOf(message: LooseObject, path: string, { source, rows }: Source): ReportedFinding {
  const rule = text(message['ruleId']) ?? 'secretlint';
  const [start, end] = [object(object(message['loc'])['start']), object(object(message['loc'])['end'])];
  const [from, to] = list(message['range']).map(number);
  const isSecret = from !== undefined && to !== undefined && to - from <= MAX_SECRET_LENGTH;
  const value = isSecret ? source?.slice(from, to) : undefined;
  const region = {
    line: position(start['line']),
    column: (number(start['column']) ?? -1) + 1,
    endLine: position(end['line']),
    endColumn: (number(end['column']) ?? -1) + 1,
  };
  const isSound = [region.column, region.endColumn].every((column) => position(column) === column || column === 0);
  return withoutUndefined({
    product: 'secrets' as const,
    rule,
    path,
    region: isSound ? region : { ...region, column: 0, endColumn: 0 },
    message: text(message['message']) ?? rule,
    severity: severityOf(message['severity']),
    references: nonEmptyTexts(message['docsUrl']),
    ...linesAround(rows, region.line, region.endLine),
    fingerprints: {},
    secret: withoutUndefined({ type: text(message['messageId']) ?? rule, value: text(value) }),
  });
}
