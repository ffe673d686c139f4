/** A place in a JSON document that a reader may want something from; places form a tree. */
export interface JsonPathNode {
  members: Map<string, JsonPathNode>;
  /** Any member that `members` does not name, written `*`. */
  anyMember?: JsonPathNode;
  element?: JsonPathNode;
  /** The path as written, when the value here is wanted whole. */
  cut?: string;
  /** The path as written with `$`, when the end of the value here is wanted. */
  end?: string;
}

const emptyPlace = (): JsonPathNode => ({ members: new Map() });

/** Turns paths such as `runs[].results[]`, `dependencies.*[]`, `[]` and `runs[]$` into a tree of places. */
export function jsonPathTree(paths: readonly string[]): JsonPathNode {
  const root = emptyPlace();
  for (const path of paths) {
    let place = root;
    for (const [step] of path.matchAll(/\[\]|[^.[\]$]+/g)) place = stepInto(place, step);
    if (path.endsWith('$')) place.end = path;
    else place.cut = path;
  }
  return root;
}

function stepInto(place: JsonPathNode, step: string): JsonPathNode {
  if (step === '[]') {
    place.element ??= emptyPlace();
    return place.element;
  }
  if (step === '*') {
    place.anyMember ??= emptyPlace();
    return place.anyMember;
  }
  const known = place.members.get(step);
  if (known) return known;
  const made = emptyPlace();
  place.members.set(step, made);
  return made;
}
