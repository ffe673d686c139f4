/** A node of the tree of paths that are extracted from a JSON document. */
export interface JsonPathNode {
  members: Map<string, JsonPathNode>;
  /** Any other member, written `*`. */
  anyMember?: JsonPathNode;
  element?: JsonPathNode;
  /** The path, if the value is extracted. */
  cut?: string;
  /** The path with `$`, if the end of the value is reported. */
  end?: string;
}

const emptyPlace = (): JsonPathNode => ({ members: new Map() });

/** Builds the tree of paths such as `runs[].results[]`, `dependencies.*[]`, `[]` and `runs[]$`. */
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
