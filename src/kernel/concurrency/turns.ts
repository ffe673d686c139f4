/** Lets a few run at a time, and those of one key one after the other; the others wait in the order they came. */
export class Turns {
  readonly #places: number;
  readonly #waiting: { key: string; start: () => void }[] = [];
  readonly #running = new Set<string>();

  constructor(places: number) {
    this.#places = places;
  }

  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start) => {
      this.#waiting.push({ key, start });
      this.#advance();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(key);
      this.#advance();
    }
  }

  #advance(): void {
    while (this.#running.size < this.#places) {
      const next = this.#waiting.findIndex(({ key }) => !this.#running.has(key));
      const [turn] = next === -1 ? [] : this.#waiting.splice(next, 1);
      if (!turn) return;
      this.#running.add(turn.key);
      turn.start();
    }
  }
}
