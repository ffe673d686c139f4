import { normalisePath } from '../../identity/report-paths.ts';
import { number, object, position, text, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { JsonAdapter } from '../adapter.ts';
import { severityOf } from '../taxonomy.ts';

/** `shellcheck -f json1`. */
export const shellcheck = (): JsonAdapter => ({
  required: ['comments$'],
  paths: ['comments[]'],
  *take({ value }): Iterable<ReportItem> {
    const comment = object(value);
    const code = number(comment['code']);
    if (code === undefined) return;
    const line = position(comment['line']);
    yield {
      kind: 'finding',
      ...withoutUndefined({
        product: 'sast' as const,
        rule: `SC${code}`,
        path: normalisePath(text(comment['file']) ?? ''),
        region: {
          line,
          column: position(comment['column']),
          endLine: position(comment['endLine']) || line,
          endColumn: position(comment['endColumn']),
        },
        message: text(comment['message']) ?? `SC${code}`,
        severity: severityOf(comment['level']),
        fingerprints: {},
      }),
    };
  },
});
