import { normalisePath } from '../../identity/report-paths.ts';
import { position, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { XmlAdapter } from '../adapter.ts';
import { severityOf } from '../taxonomy.ts';

/** Checkstyle's XML, which many other tools write too; ShellCheck rules get the ids of its JSON format. */
export function checkstyle(): XmlAdapter {
  let path = '';
  let isToolKnown = false;
  const pathsSearched: string[] = [];
  return {
    roots: ['checkstyle'],
    starts: ['file'],
    elements: ['error'],
    *take({ name, attributes }): Iterable<ReportItem> {
      if (name === 'file') {
        path = normalisePath(attributes['name'] ?? '');
        if (path !== '') pathsSearched.push(path);
        return;
      }
      const source = attributes['source'] || 'unknown';
      const isShellCheck = source.startsWith('ShellCheck.');
      if (isShellCheck && !isToolKnown) yield { kind: 'tool', name: 'ShellCheck' };
      isToolKnown = true;
      const rule = isShellCheck ? source.slice('ShellCheck.'.length) || source : source;
      const line = position(attributes['line']);
      yield {
        kind: 'finding',
        ...withoutUndefined({
          product: 'sast' as const,
          rule,
          path,
          region: { line, column: position(attributes['column']), endLine: line, endColumn: 0 },
          message: attributes['message'] || rule,
          severity: severityOf(attributes['severity']),
          fingerprints: {},
        }),
      };
    },
    *finish(): Iterable<ReportItem> {
      if (pathsSearched.length > 0) yield { kind: 'coverage', pathsSearched };
    },
  };
}
