const LENGTH_MAX = 32;

/** How many letters to change, add, drop or swap with their neighbour to make one word of another. */
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

/** Up to three of the candidates that somebody may have meant, the nearest first; a beginning counts as near. */
export function suggestSpellings(word: string, candidates: Iterable<[spelling: string, meant: string]>): string[] {
  const typed = word.toLowerCase();
  if (typed === '' || typed.length > LENGTH_MAX) return [];
  const most = Math.max(1, Math.floor(typed.length / 3));
  const best = new Map<string, number>();
  for (const [spelling, meant] of candidates) {
    const isBeginning = typed.length > 1 && spelling.startsWith(typed);
    const isTooFar = Math.abs(spelling.length - typed.length) > most;
    if (isTooFar && !isBeginning) continue;
    const steps = isBeginning ? 1 : editDistance(typed, spelling);
    if (steps <= most && steps < spelling.length) best.set(meant, Math.min(steps, best.get(meant) ?? steps));
  }
  return [...best]
    .sort(([, one], [, other]) => one - other)
    .slice(0, 3)
    .map(([meant]) => meant);
}
