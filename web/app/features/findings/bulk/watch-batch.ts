import { asProblem } from '#web/foundation/api/problem.ts';

/** The progress of a batch of decisions. */
export interface BatchProgress {
  state: 'RUNNING' | 'DONE' | 'FAILED';
  done: number;
  skipped: number;
  total: number;
}

/** The outcome of a batch. `LOST` means that the server stopped answering and the batch may still run. */
export interface BatchOutcome {
  state: 'DONE' | 'FAILED' | 'LOST';
  done: number;
  total: number;
}

const MAX_FAILURES = 5;

/** Whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  const { status } = asProblem(error).body;
  return status === 0 || status >= 500;
}

interface BatchWatch {
  getProgress: () => Promise<BatchProgress>;
  onProgress: (progress: BatchProgress) => void;
  pause: () => Promise<unknown>;
}

/** Polls a batch until it ends; tolerates a few failed requests in a row. */
export async function watchBatch({ getProgress, onProgress, pause }: BatchWatch): Promise<BatchOutcome> {
  let last = { done: 0, total: 0 };
  for (let failures = 0; failures < MAX_FAILURES; await pause()) {
    try {
      const progress = await getProgress();
      const { state, done, total } = progress;
      last = { done, total };
      onProgress(progress);
      if (state !== 'RUNNING') return { state, ...last };
      failures = 0;
    } catch (error) {
      failures = isTransient(error) ? failures + 1 : MAX_FAILURES;
    }
  }
  return { state: 'LOST', ...last };
}
