/** A result that kept its identity: its line before and after. */
export interface LineAnchor {
  before: number;
  after: number;
}

/** Predicts where lines of a file have moved, from results next to them that were matched already. */
export class LineShifts {
  readonly #anchors: readonly LineAnchor[];

  constructor(anchors: readonly LineAnchor[]) {
    this.#anchors = anchors.toSorted((one, other) => one.before - other.before);
  }

  /** The line that an old line is expected at: as far away from its nearest anchor as before. */
  predict(line: number): number {
    const next = this.#firstFrom(line);
    const [below, above] = [this.#anchors[next], this.#anchors[next - 1]];
    if (!below && !above) return line;
    const isBelowNearer = !above || (below !== undefined && below.before - line < line - above.before);
    const nearest = (isBelowNearer ? below : above) as LineAnchor;
    return line + nearest.after - nearest.before;
  }

  get isEmpty(): boolean {
    return this.#anchors.length === 0;
  }

  /** The index of the first anchor that is not above a line. */
  #firstFrom(line: number): number {
    let [low, high] = [0, this.#anchors.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#anchors[middle]?.before ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
