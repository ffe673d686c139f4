import { HostFailure } from './host-failure.ts';

/** A path such as `acme/web` in an address: its slashes stay. Dots would lead to other places of the API. */
export function encodePath(path: string): string {
  const names = path.split('/');
  if (names.some((name) => /^\.{0,2}$/.test(name)))
    throw new HostFailure('refused', 'The host names a repository or namespace in a way that is not a path.');
  return names.map(encodeURIComponent).join('/');
}

/** The page that a Link header calls the next one; empty after the last. */
export function nextPageOf(headers: Readonly<Record<string, string>>): string {
  const next = (headers['link'] ?? '').split(',').find((part) => /;\s*rel="?next"?/.test(part));
  const [, address = ''] = /<([^>]*)>/.exec(next ?? '') ?? [];
  return URL.parse(address, 'https://host.invalid')?.searchParams.get('page') ?? '';
}

/** The number of a page that a cursor names. */
export const pageOf = (cursor: string): string => (cursor === '' ? '1' : cursor);

/** A host decides about its own texts: what we keep of them is bounded and on one line. */
export const lineOf = (text: string | null | undefined, max = 512): string =>
  (text ?? '')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, max)
    .toWellFormed();
