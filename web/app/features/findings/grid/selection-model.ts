/** How many are selected, and whether all that match are meant. */
export interface ListSelection {
  ids: readonly string[];
  isAll: boolean;
}

const NONE: ListSelection = { ids: [], isAll: false };

/**
 * Where somebody is in a list and what they have selected. It lives beside React, so that a key press paints two lines
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

  /** The lines that there are, in their order; lines that can be selected are given apart. */
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
    this.#tell([before, id]);
  }

  /** Goes to another line and says which one; stays where the list ends. */
  move(step: number): number {
    const from = this.activeIndex;
    const wanted = from === -1 ? (step > 0 ? 0 : this.#order.length - 1) : from + step;
    const index = Math.min(Math.max(wanted, 0), this.#order.length - 1);
    const id = this.#order[index];
    if (id !== undefined) this.activate(id);
    return index;
  }

  toggle(id: string): void {
    const isThere = this.#selected.has(id);
    if (isThere) this.#selected.delete(id);
    else this.#selected.add(id);
    this.#anchor = id;
    this.#changed([id]);
  }

  /** Selects from the line that was last selected up to this one. */
  selectUpTo(id: string, isSelectable: (one: string) => boolean): void {
    const from = this.#indexes.get(this.#anchor) ?? this.#indexes.get(id) ?? 0;
    const to = this.#indexes.get(id) ?? from;
    const range = this.#order.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isSelectable);
    for (const one of range) this.#selected.add(one);
    this.#changed(range);
  }

  /** Selects these; when they are all selected already, everything that matches is meant. */
  selectAll(ids: readonly string[], canBeAll: boolean): void {
    const hasAll = ids.length > 0 && ids.every((id) => this.#selected.has(id));
    this.#selected = new Set(ids);
    this.#changed(ids, hasAll && canBeAll);
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
    this.#tell(ids);
  }

  #tell(ids: readonly string[]): void {
    for (const id of ids) for (const listener of this.#lines.get(id) ?? []) listener();
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  subscribeTo(id: string, listener: () => void): () => void {
    const own = this.#lines.get(id) ?? new Set();
    own.add(listener);
    this.#lines.set(id, own);
    return () => {
      own.delete(listener);
      if (own.size === 0) this.#lines.delete(id);
    };
  }
}
