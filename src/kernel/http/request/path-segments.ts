/** One segment of a request path, decoded exactly once. */
export type PathSegment = {
  text: string;
  hasSlash: boolean;
  /** The decoded parts around the last literal colon; an encoded colon belongs to the value. */
  suffixed: { value: string; suffix: string } | undefined;
};

// A request target is visible ASCII; proxies disagree on how ';' and '\' split a path.
const NOT_ALLOWED = /[^\x21-\x7e]|[;\\?#]/;

/** Splits a raw path, then decodes its segments; undefined for a path that can be understood in two ways. */
export function pathSegmentsOf(pathname: string): PathSegment[] | undefined {
  if (pathname === '/') return [];
  if (!pathname.startsWith('/') || NOT_ALLOWED.test(pathname)) return undefined;
  const segments: PathSegment[] = [];
  for (const raw of pathname.slice(1).split('/')) {
    const segment = segmentOf(raw);
    if (segment === undefined) return undefined;
    segments.push(segment);
  }
  return segments;
}

function segmentOf(raw: string): PathSegment | undefined {
  const text = decodedOnce(raw);
  if (text === undefined || text.includes('\0')) return undefined;
  const isAmbiguous = text.split('/').some((piece) => piece === '' || piece === '.' || piece === '..');
  if (isAmbiguous) return undefined;
  return { text, hasSlash: text.includes('/'), suffixed: suffixedOf(raw) };
}

function suffixedOf(raw: string): PathSegment['suffixed'] {
  const colon = raw.lastIndexOf(':');
  if (colon < 1) return undefined;
  return { value: decodeURIComponent(raw.slice(0, colon)), suffix: decodeURIComponent(raw.slice(colon + 1)) };
}

function decodedOnce(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
