const SAME_SIGNAL_MS = 700;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface StopRequest {
  /** Resolves when the program is asked to stop. */
  requested: Promise<void>;
  /** Sets what is still done on a forced stop. */
  onForcedStop(act: () => void): void;
  /** Reports the stop and ends the process. */
  finish(): void;
}

/**
 * Handles stop signals: the first one drains, a second one stops at once.
 * A terminal and npm both forward one Ctrl-C, so signals in quick succession count as one.
 */
export function onStop(print: (line: string) => void, running = 'requests'): StopRequest {
  let firstAt: number | undefined;
  let forcedStop = () => {};
  // The reader of our output may be gone; that must not prevent the database from being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const requested = new Promise<void>((resolve) => {
    const handle = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        print(`${signal}: finishing running ${running}; send it again to stop now`);
        resolve();
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
        forcedStop();
        process.exit(130);
      }
    };
    for (const signal of SIGNALS) process.on(signal, handle);
  });
  return {
    requested,
    onForcedStop: (act) => {
      forcedStop = act;
    },
    finish: () => {
      print('parapet stopped');
      process.exit(0);
    },
  };
}
