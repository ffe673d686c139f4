import { cloneAddressOf, withoutUserInformation } from '#domain/projects/clone-address-rules.ts';
import type { ScanMetadata, ScannedProjectMetadata } from './start-shape.ts';

export const SCANNER_PRODUCTS = ['sast', 'sca', 'secrets'] as const;
export type ScannerProductName = (typeof SCANNER_PRODUCTS)[number];

/** The products of a scan: the requested ones, else all that the deployment has enabled. */
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
  for (const [product, isRequested] of flags) if (isRequested === true) listed.add(product);
  const products = listed.size === 0 ? enabled : enabled.filter((product) => listed.has(product));
  // With an empty list scanners fail with an unclear error.
  return products.length > 0 ? [...products] : ['sast'];
}

/** The name of a project. The display name wins, because it distinguishes the parts of a monorepo. */
export const projectNameOf = ({ repo_display_name, repository }: ScannedProjectMetadata): string =>
  withoutUserInformation((repo_display_name ?? '').trim() || (repository ?? '').trim());

const PULL_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target', 'merge_request']);

/** The scanned ref. For hosts that send the source branch of a merge request, a ref name is built from its number. */
export function refTextOf(project: ScannedProjectMetadata): { text: string | undefined; isPullRequest: boolean } {
  const branch = (project.branch ?? '').trim();
  const number = (project.pull_request_id ?? '').trim();
  const isPullRequest = number !== '' || PULL_EVENTS.has(project.on ?? '');
  if (!isPullRequest) return { text: branch === '' ? undefined : branch, isPullRequest };
  if (branch.startsWith('refs/') || number === '') return { text: branch || 'refs/pull/unknown', isPullRequest };
  const kind = project.scan_environment === 'gitlab-ci' ? 'merge-requests' : 'pull';
  return { text: `refs/${kind}/${number}/head`, isPullRequest };
}

/** The metadata that is stored with a scan. */
export function givenMetadata(project: ScannedProjectMetadata): Record<string, unknown> {
  const cleaned = Object.entries({ ...project, repo_url: cloneAddressOf(project.repo_url ?? '') }).map(
    ([name, value]) => [name, typeof value === 'string' ? withoutUserInformation(value) : value] as const,
  );
  return Object.fromEntries(cleaned.filter(([, value]) => value !== null && value !== undefined));
}

/** True for requests that only need rules: no project or scan is created. */
export const isRulesOnly = (project: ScannedProjectMetadata, scan: ScanMetadata): boolean =>
  scan.dry_run === true || project.scan_environment === 'config-generation' || projectNameOf(project) === '';
