import type { JsonAdapter } from '../adapter.ts';
import { tidyPath } from '../paths.ts';
import { number, object, position, present, text } from '../reading.ts';
import type { Reported } from '../reported.ts';
import { severityOf } from '../weakness.ts';

/** `shellcheck -f json1`. */
export const shellcheck = (): JsonAdapter => ({
  required: ['comments$'],
  paths: ['comments[]'],
  *take({ value }): Iterable<Reported> {
    const comment = object(value);
    const code = number(comment['code']);
    if (code === undefined) return;
    const line = position(comment['line']);
    yield {
      kind: 'finding',
      ...present({
        product: 'sast' as const,
        rule: `SC${code}`,
        path: tidyPath(text(comment['file']) ?? ''),
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
