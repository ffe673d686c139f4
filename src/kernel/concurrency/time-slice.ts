import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

/** Divides long computations, so that other requests are answered in between: call `yieldIfUsed` between the parts. */
export class TimeSlice {
  #start = performance.now();

  async yieldIfUsed(): Promise<void> {
    if (performance.now() - this.#start < SLICE_MS) return;
    await nextTurn();
    this.#start = performance.now();
  }
}
