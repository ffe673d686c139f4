import { Outage } from '#kernel/contract/fault.ts';

const MAX_BATCH_SIZE = 200;
const MAX_WAIT_MS = 20;

interface Pending<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/** Computes the outputs of a whole batch, in the order of its inputs. */
export type BatchFunction<Input, Output> = (inputs: readonly Input[]) => Promise<readonly Output[]>;

/**
 * Combines inputs into batches, so that they share a statement: inputs that arrive while a batch runs form the next
 * one. A single input is not delayed, and an output is never computed before its input arrived.
 */
export class Batcher<Input, Output> {
  readonly #compute: BatchFunction<Input, Output>;
  #pending: Pending<Input, Output>[] = [];
  #runningBatches = 0;
  #timer: NodeJS.Timeout | undefined;
  #isScheduled = false;

  constructor(compute: BatchFunction<Input, Output>) {
    this.#compute = compute;
  }

  submit(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ input, resolve, reject });
      if (this.#runningBatches === 0) this.#schedule();
      else this.#startTimer();
    });
  }

  /** Starts a batch after the requests that have already arrived were read. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#start());
  }

  /** Starts a batch after a short wait even if another one is still running, because its connection may hang. */
  #startTimer(): void {
    this.#timer ??= setTimeout(() => this.#start(), MAX_WAIT_MS);
  }

  #start(): void {
    this.#isScheduled = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#pending.splice(0, MAX_BATCH_SIZE);
    if (batch.length === 0) return;
    if (this.#pending.length > 0) this.#startTimer();
    this.#runningBatches++;
    void this.#run(batch).finally(() => {
      this.#runningBatches--;
      this.#start();
    });
  }

  async #run(batch: readonly Pending<Input, Output>[]): Promise<void> {
    try {
      const outputs = await this.#compute(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output);
    } catch (error) {
      // An error other than an outage may come from a single input, so each is tried on its own.
      if (batch.length > 1 && !(error instanceof Outage))
        await Promise.all(batch.map((pending) => this.#run([pending])));
      else for (const { reject } of batch) reject(error);
    }
  }
}
