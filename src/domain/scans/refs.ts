export type RefKind = 'branch' | 'pull' | 'tag';

export interface Ref {
  name: string;
  kind: RefKind;
}

const PULL = /^refs\/(pull|merge-requests|pull-requests)\/|^(pull|merge-requests)\/\d+/;

/** Parses a ref in any spelling. Branches get their short name, under which projects store them. */
export function parseRef(text: string, { isPullRequest = false }: { isPullRequest?: boolean } = {}): Ref {
  const name = text.trim().replace(/^refs\/(heads|remotes\/origin)\//, '');
  if (name.startsWith('refs/tags/')) return { name, kind: 'tag' };
  return { name, kind: isPullRequest || PULL.test(name) ? 'pull' : 'branch' };
}

/** The full name of a ref, as the v1 API shows it. */
export const fullRefName = (name: string): string => (name.startsWith('refs/') ? name : `refs/heads/${name}`);
