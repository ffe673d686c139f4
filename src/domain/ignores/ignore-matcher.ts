import { type GlobSegment, matchingPrefixes, parseGlob } from './glob.ts';

interface IgnoreRule {
  isNegated: boolean;
  /** Matches directories only. */
  isDirectoryOnly: boolean;
  segments: readonly GlobSegment[];
}

/** Trailing spaces are ignored unless escaped with a backslash. */
const withoutTrailingSpaces = (line: string): string => {
  const end = line.trimEnd();
  return end.length < line.length && /(?:^|[^\\])(?:\\\\)*\\$/.test(end) ? `${end} ` : end;
};

function parseRule(line: string): IgnoreRule | undefined {
  const text = withoutTrailingSpaces(line);
  // A colon starts a directive of .semgrepignore files, such as `:include`, which is not supported here.
  if (text === '' || text.startsWith('#') || text.startsWith(':')) return undefined;
  const isNegated = text.startsWith('!');
  const bare = isNegated ? text.slice(1) : text;
  const isDirectoryOnly = bare.endsWith('/');
  const path = isDirectoryOnly ? bare.slice(0, -1) : bare;
  if (path === '' || path === '/') return undefined;
  const isAnchored = path.includes('/');
  const inner = path.startsWith('/') ? path.slice(1) : path;
  const segments = parseGlob(isAnchored ? inner : `**/${inner}`);
  // `folder/**` matches the content of the folder, but not the folder itself.
  const last = segments.at(-1);
  const insideOnly: GlobSegment[] = last?.kind === 'deep' && segments.length > 1 ? [...segments, ANYTHING] : segments;
  return { isNegated, isDirectoryOnly, segments: insideOnly };
}

const ANYTHING: GlobSegment = { kind: 'plain', tokens: [{ kind: 'star' }] };

/**
 * Compiles the lines of a .semgrepignore file into a predicate on file paths. The last matching line decides, and
 * nothing in an ignored folder can be included again. Paths are relative to the root and use slashes.
 */
export function compileIgnorePatterns(lines: readonly string[]): (path: string) => boolean {
  const rules = lines.flatMap((line) => parseRule(line) ?? []).toReversed();
  if (rules.length === 0) return () => false;
  return (path) => {
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    const matches = rules.map((rule) => ({ ...rule, isMatch: matchingPrefixes(rule.segments, segments) }));
    return segments.some((_, index) => {
      const isFolder = index < segments.length - 1;
      const decisive = matches.find(({ isMatch, isDirectoryOnly }) => isMatch[index] && (isFolder || !isDirectoryOnly));
      return decisive !== undefined && !decisive.isNegated;
    });
  };
}

/** The ignored paths of one product, as lines of a .semgrepignore file. */
export interface ProductIgnorePatterns {
  product: string;
  patterns: readonly string[];
}

/** True if scans of the product ignore the file. */
export type IgnoreMatcher = (product: string, path: string) => boolean;

/** Combines the ignore lists of all products. */
export function createIgnoreMatcher(lists: readonly ProductIgnorePatterns[]): IgnoreMatcher {
  const matchers = new Map(lists.map(({ product, patterns }) => [product, compileIgnorePatterns(patterns)]));
  return (product, path) => matchers.get(product)?.(path) ?? false;
}
