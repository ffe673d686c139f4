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

const emptyNode = (): JsonPathNode => ({ members: new Map() });

/** Builds the tree of paths such as `runs[].results[]`, `dependencies.*[]`, `[]` and `runs[]$`. */
export function jsonPathTree(paths: readonly string[]): JsonPathNode {
  const root = emptyNode();
  for (const path of paths) {
    let node = root;
    for (const [step] of path.matchAll(/\[\]|[^.[\]$]+/g)) node = stepInto(node, step);
    if (path.endsWith('$')) node.end = path;
    else node.cut = path;
  }
  return root;
}

function stepInto(node: JsonPathNode, step: string): JsonPathNode {
  if (step === '[]') {
    node.element ??= emptyNode();
    return node.element;
  }
  if (step === '*') {
    node.anyMember ??= emptyNode();
    return node.anyMember;
  }
  const existing = node.members.get(step);
  if (existing) return existing;
  const created = emptyNode();
  node.members.set(step, created);
  return created;
}
