const MAX_SLUG_LENGTH = 64;

/** Path segments that a slug must not shadow. */
const RESERVED = new Set([
  'current',
  'scans',
  'deepbinary',
  'deployments',
  'joinable',
  'providers',
  'list',
  'status',
  'new',
  'api',
  'setup',
  'docs',
]);

/** The slug of a name, for URLs. Total and idempotent; never empty and never all digits, like an id. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  if (plain === '') return 'unnamed';
  if (/^\d+$/.test(plain)) return `n-${plain}`.slice(0, MAX_SLUG_LENGTH);
  return RESERVED.has(plain) ? `${plain}-1` : plain;
}

/** The slug for the nth object of the same name. */
export function numberedSlug(slug: string, n: number): string {
  if (n <= 1) return slug;
  const suffix = `-${n}`;
  return `${slug.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-+$/, '')}${suffix}`;
}

/** The key by which names are compared: without case, width, composition and surrounding spaces. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
