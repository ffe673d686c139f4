export interface Undoable {
  id: string;
  undo: () => Promise<unknown>;
}

/** What can be taken back, the last first; what could not be taken back stays. */
export class UndoStack {
  readonly #entries: Undoable[] = [];

  push(entry: Undoable): void {
    this.#entries.push(entry);
  }

  get lastId(): string | undefined {
    return this.#entries.at(-1)?.id;
  }

  /** Says whether there was something to take back; while that is on its way, nobody takes it back twice. */
  async undo(id: string): Promise<boolean> {
    const index = this.#entries.findIndex((entry) => entry.id === id);
    const [entry] = index === -1 ? [] : this.#entries.splice(index, 1);
    if (!entry) return false;
    try {
      await entry.undo();
      return true;
    } catch (error) {
      this.#entries.splice(index, 0, entry);
      throw error;
    }
  }
}
