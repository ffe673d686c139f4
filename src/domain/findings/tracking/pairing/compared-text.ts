/** Up to this number of items on each side, each is compared with each: so the time is linear in their number. */
export const MAX_COMPARED = 50;
/** Longer texts are compared by their beginning. */
const MAX_COMPARED_CHARACTERS = 2000;

/** A piece of code, prepared for comparison with several others. */
export class ComparedText {
  readonly #text: string;
  /** How often each word and each pair of neighboring words occurs. */
  readonly #counts = new Map<string, number>();
  readonly #size: number;

  constructor(text: string) {
    this.#text = text.slice(0, MAX_COMPARED_CHARACTERS);
    const words = this.#text.split(/\W+/).filter((word) => word !== '');
    for (const [index, word] of words.entries())
      for (const feature of [word, `${word} ${words[index + 1] ?? ''}`])
        this.#counts.set(feature, (this.#counts.get(feature) ?? 0) + 1);
    this.#size = 2 * words.length;
  }

  /** Similarity from 0 to 1: the share of common words and pairs of words. */
  similarityTo(other: ComparedText): number {
    if (this.#text === other.#text) return 1;
    let shared = 0;
    for (const [feature, count] of this.#counts) shared += Math.min(count, other.#counts.get(feature) ?? 0);
    const total = this.#size + other.#size;
    return total === 0 ? 0 : (2 * shared) / total;
  }
}
