const LONGEST = 64;

/** Words that stand in paths where a slug could stand: a slug must not shadow them. */
const RESERVED = new Set([
  'current',
  'scans',
  'deepbinary',
  'deployments',
  'providers',
  'list',
  'status',
  'new',
  'api',
  'setup',
  'docs',
]);

/** The slug of a name: what people may type in a URL. Total, idempotent, never empty, never taken for an id. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  if (plain === '') return 'unnamed';
  if (/^\d+$/.test(plain)) return `n-${plain}`.slice(0, LONGEST);
  return RESERVED.has(plain) ? `${plain}-1` : plain;
}

/** The slug for the nth thing of the same name. */
export function numberedSlug(slug: string, n: number): string {
  if (n <= 1) return slug;
  const suffix = `-${n}`;
  return `${slug.slice(0, LONGEST - suffix.length).replace(/-+$/, '')}${suffix}`;
}

/** Names that people hold to be the same are the same: case, width and composition do not count. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
