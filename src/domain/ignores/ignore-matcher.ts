import { type GlobSegment, matchingPrefixes, parseGlob } from './glob.ts';

interface Rule {
  isNegated: boolean;
  /** Matches folders only. */
  isForFolders: boolean;
  segments: readonly GlobSegment[];
}

/** Spaces at the end mean nothing unless a backslash says so. */
const withoutEndSpaces = (line: string): string => {
  const end = line.trimEnd();
  return end.length < line.length && /(?:^|[^\\])(?:\\\\)*\\$/.test(end) ? `${end} ` : end;
};

function readRule(line: string): Rule | undefined {
  const text = withoutEndSpaces(line);
  // A colon starts an instruction of .semgrepignore files, such as `:include`, which has no meaning here.
  if (text === '' || text.startsWith('#') || text.startsWith(':')) return undefined;
  const isNegated = text.startsWith('!');
  const bare = isNegated ? text.slice(1) : text;
  const isForFolders = bare.endsWith('/');
  const path = isForFolders ? bare.slice(0, -1) : bare;
  if (path === '' || path === '/') return undefined;
  const isAnchored = path.includes('/');
  const inner = path.startsWith('/') ? path.slice(1) : path;
  const segments = parseGlob(isAnchored ? inner : `**/${inner}`);
  // What is in a folder matches `folder/**`, but the folder itself does not.
  const last = segments.at(-1);
  const insideOnly: GlobSegment[] = last?.kind === 'deep' && segments.length > 1 ? [...segments, ANYTHING] : segments;
  return { isNegated, isForFolders, segments: insideOnly };
}

const ANYTHING: GlobSegment = { kind: 'plain', tokens: [{ kind: 'star' }] };

/**
 * Reads the lines of a .semgrepignore file and tells of each path of a file whether it is ignored: the last line that
 * matches decides, and nothing in an ignored folder can be taken back. Paths go from the root, with slashes.
 */
export function compileIgnorePatterns(lines: readonly string[]): (path: string) => boolean {
  const rules = lines.flatMap((line) => readRule(line) ?? []).toReversed();
  if (rules.length === 0) return () => false;
  return (path) => {
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    const found = rules.map((rule) => ({ ...rule, fits: matchingPrefixes(rule.segments, segments) }));
    return segments.some((_, index) => {
      const isFolder = index < segments.length - 1;
      const decisive = found.find(({ fits, isForFolders }) => fits[index] && (isFolder || !isForFolders));
      return decisive !== undefined && !decisive.isNegated;
    });
  };
}

/** What one product leaves out, as lines of a .semgrepignore file. */
export interface ProductIgnorePatterns {
  product: string;
  patterns: readonly string[];
}

/** Tells of a product and the path of a file whether scans leave it out. */
export type IgnoreMatcher = (product: string, path: string) => boolean;

/** What all products leave out, ready to be asked for every path of a scan. */
export function createIgnoreMatcher(lists: readonly ProductIgnorePatterns[]): IgnoreMatcher {
  const matchers = new Map(lists.map(({ product, patterns }) => [product, compileIgnorePatterns(patterns)]));
  return (product, path) => matchers.get(product)?.(path) ?? false;
}
