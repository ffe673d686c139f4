/** Calls `run` at most once per interval, at the end of it. */
export function throttle(ms: number, run: () => void): { call: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    call: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        run();
      }, ms);
    },
    stop: () => clearTimeout(timer),
  };
}
