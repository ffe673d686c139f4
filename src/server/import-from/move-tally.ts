/** What came along, and what did not, each with its count. */
export interface MoveCounts {
  carried: Record<string, number>;
  left: Record<string, number>;
  failed: Record<string, number>;
}

/** Counts by sentences that a person reads. */
export class MoveTally {
  readonly #counts: MoveCounts = { carried: {}, left: {}, failed: {} };

  carry(what: string, count = 1): void {
    add(this.#counts.carried, what, count);
  }

  /** For what has no place here, or is left out on purpose. */
  leave(what: string, count = 1): void {
    add(this.#counts.left, what, count);
  }

  /** For what would have a place here but was refused. */
  fail(what: string, count = 1): void {
    add(this.#counts.failed, what, count);
  }

  add(counts: MoveCounts): void {
    for (const part of ['carried', 'left', 'failed'] as const)
      for (const [what, count] of Object.entries(counts[part])) add(this.#counts[part], what, count);
  }

  get counts(): MoveCounts {
    return this.#counts;
  }

  *lines(isDryRun: boolean): Iterable<string> {
    const { carried, left, failed } = this.#counts;
    yield* section(isDryRun ? 'Would come along:' : 'Came along:', carried);
    yield* section(isDryRun ? 'Would not come along:' : 'Did not come along:', left);
    yield* section('Failed:', failed);
  }
}

function add(counts: Record<string, number>, what: string, count: number): void {
  if (count > 0) counts[what] = (counts[what] ?? 0) + count;
}

function* section(title: string, counts: Record<string, number>): Iterable<string> {
  const rows = Object.entries(counts);
  if (rows.length === 0) return;
  yield title;
  const texts = rows.map(([what, count]) => [count.toLocaleString('en'), what] as const);
  const width = Math.max(...texts.map(([count]) => count.length));
  for (const [count, what] of texts) yield `  ${count.padStart(width)}  ${what}`;
}
