const STEPS_MS = [1_000, 3_000, 10_000];

/** Leaves time before the last step, so that what happened at the very end does not show either. */
export const MAX_CHECK_MS = 9_500;

/** How long to wait after the work, so that it ends on a step: its true length would tell closed from filtered. */
export function remainingStepMs(elapsedMs: number): number {
  const step = STEPS_MS.find((end) => end >= elapsedMs) ?? elapsedMs;
  return step - elapsedMs;
}

export type Sleep = (ms: number) => Promise<void>;

export const sleepByTimer: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does the work and hands its result over only at the next step. */
export async function withQuantizedDuration<Result>(pause: Sleep, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    await pause(remainingStepMs(performance.now() - start));
  }
}
