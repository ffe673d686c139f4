import type { CallOptions } from '#web/foundation/api/client.ts';
import { Problem } from '#web/foundation/api/problem.ts';

export interface Versioned<Answer> {
  answer: Answer;
  /** For `If-Match`: the change is refused when somebody else was quicker. */
  version: string;
}

/** Reads something together with its version. */
export async function readWithVersion<Answer>(
  read: (options: CallOptions) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Versioned<Answer>> {
  let version = '';
  const answer = await read({
    signal,
    onVersion: (etag) => {
      version = etag;
    },
  });
  return { answer, version };
}

export const ifMatchHeader = (version: string): Record<string, string> =>
  version === '' ? {} : { 'if-match': version };

/** Whether a change was refused because the thing is no longer what it was when it was read. */
export const isVersionConflict = (error: unknown): boolean => error instanceof Problem && error.body.status === 412;
