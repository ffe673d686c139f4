import { ComparedText } from '#domain/findings/tracking/pairing/compared-text.ts';
import type { FileDiff, Hunk } from './git-history.ts';
import type { Hit } from './stand-in-rules.ts';

/** How a hit of one snapshot continues in the next, according to the diff. */
export interface Continuity {
  before: Hit;
  /** Its counterpart in the next snapshot; absent if the code is gone. */
  after?: Hit;
  kind: 'survived' | 'edited' | 'gone';
  isRenamed: boolean;
}

const MIN_EDITED_SIMILARITY = 0.6;

const positionOf = ({ rule, path }: Hit, line: number, newPath = path) => `${rule} ${newPath}:${line}`;

const isInside = (line: number, { oldStart, oldCount }: Hunk) => line >= oldStart && line < oldStart + oldCount;

/** The line in the new file of a line that no hunk replaced. A hunk without old lines inserts after its start. */
function lineAfter(line: number, hunks: readonly Hunk[]): number {
  let shift = 0;
  for (const { oldStart, oldCount, newCount } of hunks)
    if (line > (oldCount === 0 ? oldStart : oldStart + oldCount - 1)) shift += newCount - oldCount;
  return line + shift;
}

/** Pairs the hits of a replaced hunk with those that replaced them: in order, the most similar ones first. */
function pairEdited(before: readonly Hit[], after: readonly Hit[]): Map<Hit, Hit> {
  const pairs = new Map<Hit, Hit>();
  const candidates = before.flatMap((old) =>
    after
      .filter(({ rule }) => rule === old.rule)
      .map((current) => ({
        old,
        current,
        similarity: new ComparedText(old.code).similarityTo(new ComparedText(current.code)),
      })),
  );
  const taken = new Set<Hit>();
  for (const { old, current, similarity } of candidates.toSorted((one, other) => other.similarity - one.similarity)) {
    if (similarity < MIN_EDITED_SIMILARITY || pairs.has(old) || taken.has(current)) continue;
    pairs.set(old, current);
    taken.add(current);
  }
  return pairs;
}

/** What is expected of the hits of the files that changed. */
export function expectedContinuity(
  before: readonly Hit[],
  after: readonly Hit[],
  diffs: readonly FileDiff[],
): Continuity[] {
  const newHits = new Map(after.map((hit) => [positionOf(hit, hit.line), hit]));
  const [oldByPath, newByPath] = [Map.groupBy(before, ({ path }) => path), Map.groupBy(after, ({ path }) => path)];
  return diffs.flatMap(({ oldPath, newPath, hunks }) => {
    const isRenamed = oldPath !== newPath;
    const [oldHits, currentHits] = [oldByPath.get(oldPath) ?? [], newByPath.get(newPath) ?? []];
    const edited = new Map<Hit, Hit>();
    for (const hunk of hunks) {
      const { newStart, newCount } = hunk;
      const replaced = oldHits.filter(({ line }) => isInside(line, hunk));
      const replacing = currentHits.filter(({ line }) => line >= newStart && line < newStart + newCount);
      for (const [old, current] of pairEdited(replaced, replacing)) edited.set(old, current);
    }
    return oldHits.map((old): Continuity => {
      if (!hunks.some((hunk) => isInside(old.line, hunk))) {
        const current = newHits.get(positionOf(old, lineAfter(old.line, hunks), newPath));
        return current
          ? { before: old, after: current, kind: 'survived', isRenamed }
          : { before: old, kind: 'gone', isRenamed };
      }
      const current = edited.get(old);
      return current
        ? { before: old, after: current, kind: 'edited', isRenamed }
        : { before: old, kind: 'gone', isRenamed };
    });
  });
}
