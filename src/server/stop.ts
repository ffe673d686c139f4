const SAME_SIGNAL_MS = 700;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface StopRequest {
  /** Settles when the program is asked to stop. */
  requested: Promise<void>;
  /** What must still be done when there is no time for anything else. */
  onForcedStop(act: () => void): void;
  /** Said when all is stopped. */
  finish(): void;
}

/**
 * Listens for the wish to stop: the first signal drains, a second one stops now.
 * A terminal and npm both pass one Ctrl-C on, so signals that come close together are one.
 */
export function onStop(say: (line: string) => void): StopRequest {
  let firstAt: number | undefined;
  let lastAct = () => {};
  // Whoever read our output may be gone; that must not keep the database from being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const requested = new Promise<void>((resolve) => {
    const hear = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        say(`${signal}: finishing what is running; again to stop now`);
        resolve();
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
        lastAct();
        process.exit(130);
      }
    };
    for (const signal of SIGNALS) process.on(signal, hear);
  });
  return {
    requested,
    onForcedStop: (act) => {
      lastAct = act;
    },
    finish: () => {
      say('parapet stopped');
      process.exit(0);
    },
  };
}
