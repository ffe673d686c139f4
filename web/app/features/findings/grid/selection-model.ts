/** The selected rows; `isAll` stands for all findings that match, loaded or not. */
export interface ListSelection {
  ids: readonly string[];
  isAll: boolean;
}

const NONE: ListSelection = { ids: [], isAll: false };

/**
 * The cursor and the selected rows of a list. It is kept outside of React state, so that a key press renders two rows
 * instead of the page.
 */
export class SelectionModel {
  #order: readonly string[] = [];
  #indexes = new Map<string, number>();
  #active = '';
  #selected = new Set<string>();
  #anchor = '';
  #selection = NONE;
  #isAll = false;
  readonly #lines = new Map<string, Set<() => void>>();
  readonly #listeners = new Set<() => void>();

  /** Sets the rows in their order; groups among them take the cursor but cannot be selected. */
  setOrder(order: readonly string[]): void {
    this.#order = order;
    this.#indexes = new Map(order.map((id, index) => [id, index]));
  }

  get active(): string {
    return this.#active;
  }

  get activeIndex(): number {
    return this.#indexes.get(this.#active) ?? -1;
  }

  get selection(): ListSelection {
    return this.#selection;
  }

  isActive(id: string): boolean {
    return this.#active === id;
  }

  isSelected(id: string): boolean {
    return this.#selected.has(id);
  }

  activate(id: string): void {
    const before = this.#active;
    if (before === id) return;
    this.#active = id;
    this.#notify([before, id]);
  }

  /** Moves the cursor, stops at both ends, and returns the new index. */
  move(step: number): number {
    const from = this.activeIndex;
    const target = from === -1 ? (step > 0 ? 0 : this.#order.length - 1) : from + step;
    const index = Math.min(Math.max(target, 0), this.#order.length - 1);
    const id = this.#order[index];
    if (id !== undefined) this.activate(id);
    return index;
  }

  toggle(id: string): void {
    const wasSelected = this.#selected.has(id);
    if (wasSelected) this.#selected.delete(id);
    else this.#selected.add(id);
    this.#anchor = id;
    this.#changed([id]);
  }

  /** Selects from the last toggled row up to this one. */
  selectUpTo(id: string, isSelectable: (id: string) => boolean): void {
    const from = this.#indexes.get(this.#anchor) ?? this.#indexes.get(id) ?? 0;
    const to = this.#indexes.get(id) ?? from;
    const range = this.#order.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isSelectable);
    for (const rowId of range) this.#selected.add(rowId);
    this.#changed(range);
  }

  /** Selects these rows; if all of them are selected already, selects everything that matches. */
  selectAll(ids: readonly string[], canSelectAll: boolean): void {
    const hasAll = ids.length > 0 && ids.every((id) => this.#selected.has(id));
    this.#selected = new Set(ids);
    this.#changed(ids, hasAll && canSelectAll);
  }

  clear(): void {
    const before = [...this.#selected];
    this.#selected.clear();
    this.#anchor = '';
    this.#changed(before);
  }

  #changed(ids: readonly string[], isAll = false): void {
    this.#isAll = isAll;
    this.#selection = this.#selected.size === 0 ? NONE : { ids: [...this.#selected], isAll: this.#isAll };
    this.#notify(ids);
  }

  #notify(ids: readonly string[]): void {
    for (const id of ids) for (const listener of this.#lines.get(id) ?? []) listener();
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  subscribeTo(id: string, listener: () => void): () => void {
    const rowListeners = this.#lines.get(id) ?? new Set();
    rowListeners.add(listener);
    this.#lines.set(id, rowListeners);
    return () => {
      rowListeners.delete(listener);
      if (rowListeners.size === 0) this.#lines.delete(id);
    };
  }
}
