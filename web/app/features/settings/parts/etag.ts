import type { CallOptions } from '#web/foundation/api/client.ts';
import { Problem } from '#web/foundation/api/problem.ts';

export interface Versioned<Answer> {
  answer: Answer;
  /** The ETag for `If-Match`: the update fails if another user was faster. */
  version: string;
}

/** Reads an object together with its version. */
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

/** Whether an update failed because the object has changed since it was read. */
export const isVersionConflict = (error: unknown): boolean => error instanceof Problem && error.body.status === 412;
