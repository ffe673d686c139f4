const STEPS_MS = [1_000, 3_000, 10_000];

/** Ends before the last step, so that a timeout at the end is not visible either. */
export const MAX_CHECK_MS = 9_500;

/** How long to wait until the next step: the exact duration would reveal whether a port is closed or filtered. */
export function remainingStepMs(elapsedMs: number): number {
  const step = STEPS_MS.find((end) => end >= elapsedMs) ?? elapsedMs;
  return step - elapsedMs;
}

export type Sleep = (ms: number) => Promise<void>;

export const sleepByTimer: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs the work and returns its result only at the next step. */
export async function withQuantizedDuration<Result>(pause: Sleep, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    await pause(remainingStepMs(performance.now() - start));
  }
}
