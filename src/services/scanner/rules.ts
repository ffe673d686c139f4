import type { ScanMetadata, ScannedProjectMetadata } from './start-shape.ts';

export const SCANNER_PRODUCTS = ['sast', 'sca', 'secrets'] as const;
export type ScannerProductName = (typeof SCANNER_PRODUCTS)[number];

/** The products of a scan: what was asked for, else all that the deployment has switched on. */
export function productsOf(
  project: ScannedProjectMetadata,
  scan: ScanMetadata,
  enabled: readonly ScannerProductName[],
): ScannerProductName[] {
  const flags: [ScannerProductName, boolean | null | undefined][] = [
    ['sast', project.is_code_scan],
    ['sca', project.is_sca_scan],
    ['secrets', project.is_secrets_scan],
  ];
  const listed = new Set<string>(scan.requested_products ?? []);
  for (const [product, isWanted] of flags) if (isWanted === true) listed.add(product);
  const wanted = listed.size === 0 ? enabled : enabled.filter((product) => listed.has(product));
  // An empty list ends the scan with an error that nobody understands.
  return wanted.length > 0 ? [...wanted] : ['sast'];
}

/** The name of a project: what is shown wins, because parts of a monorepo differ in it. */
export const projectNameOf = ({ repo_display_name, repository }: ScannedProjectMetadata): string =>
  (repo_display_name ?? '').trim() || (repository ?? '').trim();

const PULL_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target', 'merge_request']);

/** The ref that was scanned; merge requests of hosts that send the branch get a name of their own. */
export function refTextOf(project: ScannedProjectMetadata): { text: string | undefined; isPullRequest: boolean } {
  const branch = (project.branch ?? '').trim();
  const number = (project.pull_request_id ?? '').trim();
  const isPullRequest = number !== '' || PULL_EVENTS.has(project.on ?? '');
  if (!isPullRequest) return { text: branch === '' ? undefined : branch, isPullRequest };
  if (branch.startsWith('refs/') || number === '') return { text: branch || 'refs/pull/unknown', isPullRequest };
  const kind = project.scan_environment === 'gitlab-ci' ? 'merge-requests' : 'pull';
  return { text: `refs/${kind}/${number}/head`, isPullRequest };
}

/** What is kept of a start; the rest of it is never read. */
export function givenMetadata(project: ScannedProjectMetadata): Record<string, unknown> {
  return Object.fromEntries(Object.entries(project).filter(([, value]) => value !== null && value !== undefined));
}

/** Requests that only want rules: nothing is made for them. */
export const isRulesOnly = (project: ScannedProjectMetadata, scan: ScanMetadata): boolean =>
  scan.dry_run === true || project.scan_environment === 'config-generation' || projectNameOf(project) === '';
