import { exactTerm } from '#web/ui/filter/exact-term.ts';

/** Scanners write this in place of an organization: that of the reader. */
export const OWN_ORG = '-';

export interface ScannerLink {
  /** The slug of the organization. */
  slug: string;
  /** The page within the organization, with its query. */
  page: string;
}

const TYPES: Record<string, string> = { secrets: 'secret', 'supply-chain': 'dependency' };

/** Sections of the settings under the names that scanners and their documentation use. */
const SETTINGS: Record<string, string> = {
  tokens: 'tokens',
  access: 'access',
  members: 'people',
  general: 'products',
  deployment: 'products',
};

/** A list of findings; scanners narrow it by project and ref. */
function findingsPage(query: URLSearchParams, type: string | undefined): string {
  const [project, branch] = [query.get('repo'), query.get('ref')];
  const terms = [
    'is:open',
    ...(type === undefined ? [] : [`type:${type}`]),
    ...(project ? [exactTerm('project', project)] : []),
    ...(branch ? [exactTerm('branch', branch)] : []),
  ];
  return `findings?${new URLSearchParams({ q: terms.join(' ') })}`;
}

function pageOf([area = '', item = '']: readonly string[], query: URLSearchParams): string {
  switch (area) {
    case 'findings':
      return /^\d+$/.test(item) ? `findings/${item}` : findingsPage(query, undefined);
    case 'secrets':
      return findingsPage(query, TYPES[area]);
    case 'supply-chain':
      return item === 'dependencies' ? 'dependencies' : findingsPage(query, TYPES[area]);
    case 'policies':
    case 'policy':
    case 'rules':
    case 'board':
    case 'ruleboards':
      return 'policies';
    case 'projects':
    case 'scans':
      return area === 'scans' && /^\d+$/.test(item) ? `scans/${item}` : 'projects';
    case 'settings':
      return `settings/${Object.hasOwn(SETTINGS, item) ? SETTINGS[item] : ''}`;
    default:
      return 'inbox';
  }
}

/**
 * Where an address leads that scanners print: `/orgs/SLUG/…` of an organization, or `/manage/…` of the reader's own.
 * Undefined for other addresses.
 */
export function scannerLink(pathname: string, search: string): ScannerLink | undefined {
  const [root, ...rest] = pathname.split('/').slice(1).map(decodeURIComponent);
  const query = new URLSearchParams(search);
  if (root === 'manage') return { slug: OWN_ORG, page: pageOf(rest, query) };
  const [slug, ...parts] = rest;
  return root === 'orgs' && slug ? { slug, page: pageOf(parts, query) } : undefined;
}
