import { asProblem } from '#web/foundation/api/problem.ts';

/** How far a batch of decisions has come. */
export interface BatchProgress {
  state: 'RUNNING' | 'DONE' | 'FAILED';
  done: number;
  skipped: number;
  total: number;
}

/** How a batch ended; of one that is lost nobody knows, and it may still run. */
export interface BatchOutcome {
  state: 'DONE' | 'FAILED' | 'LOST';
  done: number;
  total: number;
}

const MOST_FAILURES = 5;

/** The server may be there again in a moment. */
export function isTransient(error: unknown): boolean {
  const { status } = asProblem(error).body;
  return status === 0 || status >= 500;
}

interface Watch {
  ask: () => Promise<BatchProgress>;
  onProgress: (progress: BatchProgress) => void;
  pause: () => Promise<unknown>;
}

/** Asks how a batch goes until it has ended, and bears with a server that does not answer a few times. */
export async function watchBatch({ ask, onProgress, pause }: Watch): Promise<BatchOutcome> {
  let last = { done: 0, total: 0 };
  for (let failures = 0; failures < MOST_FAILURES; await pause()) {
    try {
      const progress = await ask();
      const { state, done, total } = progress;
      last = { done, total };
      onProgress(progress);
      if (state !== 'RUNNING') return { state, ...last };
      failures = 0;
    } catch (error) {
      failures = isTransient(error) ? failures + 1 : MOST_FAILURES;
    }
  }
  return { state: 'LOST', ...last };
}
