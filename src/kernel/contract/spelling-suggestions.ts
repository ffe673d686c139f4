const MAX_LENGTH = 32;

/** The Damerau–Levenshtein distance (optimal string alignment). */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const changed = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const steps = Math.min(changed, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(isSwapped ? Math.min(steps, (beforeLast[column - 2] ?? 0) + 1) : steps);
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}

/** Up to three candidates that the user may have meant, the closest first; a prefix counts as close. */
export function suggestSpellings(word: string, candidates: Iterable<[spelling: string, meant: string]>): string[] {
  const typed = word.toLowerCase();
  if (typed === '' || typed.length > MAX_LENGTH) return [];
  const maxDistance = Math.max(1, Math.floor(typed.length / 3));
  const best = new Map<string, number>();
  for (const [spelling, meant] of candidates) {
    const isPrefix = typed.length > 1 && spelling.startsWith(typed);
    const isTooFar = Math.abs(spelling.length - typed.length) > maxDistance;
    if (isTooFar && !isPrefix) continue;
    const steps = isPrefix ? 1 : editDistance(typed, spelling);
    if (steps <= maxDistance && steps < spelling.length) best.set(meant, Math.min(steps, best.get(meant) ?? steps));
  }
  return [...best]
    .sort(([, left], [, right]) => left - right)
    .slice(0, 3)
    .map(([meant]) => meant);
}
