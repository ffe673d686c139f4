export interface Undoable {
  id: string;
  undo: () => Promise<unknown>;
}

/** Actions that can be undone, last first. An action whose undo failed stays on the stack. */
export class UndoStack {
  readonly #entries: Undoable[] = [];

  push(entry: Undoable): void {
    this.#entries.push(entry);
  }

  get lastId(): string | undefined {
    return this.#entries.at(-1)?.id;
  }

  /** Resolves to whether the action was on the stack. While its undo runs, it cannot be undone a second time. */
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
