import * as products from '#domain/products/store.ts';
import { requireProjectName } from '#domain/projects/limited-name.ts';
import * as projects from '#domain/projects/store.ts';
import { findDryRun, saveDryRun } from '#domain/scans/dry-runs.ts';
import { parseRef } from '#domain/scans/refs.ts';
import * as scans from '#domain/scans/store.ts';
import { registerProject } from '#domain/teams/enrollment.ts';
import { findUnknownProjects } from '#domain/teams/members.ts';
import { listRulesForScan } from '#domain/unified-policies/scan-rules.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import {
  givenMetadata,
  isRulesOnly,
  productsOf,
  projectNameOf,
  refTextOf,
  SCANNER_PRODUCTS,
  type ScannerProductName,
} from './rules.ts';
import type { ScanMetadata, ScannedProjectMetadata } from './start-shape.ts';
import * as store from './store.ts';

export interface ScanStart {
  project: ScannedProjectMetadata;
  scan: ScanMetadata;
  tags: readonly string[];
}

type StartBody = {
  project_metadata?: ScannedProjectMetadata | undefined;
  scan_metadata?: ScanMetadata | undefined;
  project_config?: { tags?: string[] | null | undefined } | null | undefined;
  meta?: ScannedProjectMetadata | null | undefined;
};

/** Normalizes the start of scanners of all versions. */
export const scanStartOf = ({ project_metadata, scan_metadata, project_config, meta }: StartBody): ScanStart => ({
  project: project_metadata ?? meta ?? {},
  scan: scan_metadata ?? {},
  tags: project_config?.tags ?? [],
});

export interface ScannerRun {
  scan: string | undefined;
  project: string | undefined;
  products: ScannerProductName[];
  partialRuleIds: readonly string[] | undefined;
}

export type ScannerCall = Pick<Call, 'tx' | 'caller' | 'now' | 'answer' | 'services'>;

async function enabledProducts(tx: Tx, deployment: string): Promise<ScannerProductName[]> {
  const { settings } = await products.find(tx, deployment);
  return SCANNER_PRODUCTS.filter((product) => settings[product].enabled);
}

/** Starts a scan; for a request that only needs rules, nothing is created. */
export async function beginScan(call: ScannerCall, start: ScanStart): Promise<ScannerRun> {
  const { tx, caller, now, answer } = call;
  const { deployment } = caller;
  const scanProducts = productsOf(start.project, start.scan, await enabledProducts(tx, deployment));
  const partialRuleIds = start.scan.partial_scan_rule_ids ?? undefined;
  const name = projectNameOf(start.project);
  if (!isRulesOnly(start.project, start.scan)) requireProjectName(caller, name);
  const known = name === '' ? undefined : await projects.findIdByName(tx, deployment, name);
  const isHidden = known !== undefined && (await findUnknownProjects(tx, caller, [known])).size > 0;
  if (isRulesOnly(start.project, start.scan))
    return { scan: undefined, project: isHidden ? undefined : known, products: scanProducts, partialRuleIds };
  if (isHidden) throw NOT_FOUND();
  const url = start.project.repo_url ?? undefined;
  const project = await registerProject(tx, { deployment, name, ...(url !== undefined && { url }) }, caller);
  if (start.tags.length > 0) await projects.addTags(tx, { deployment, id: project }, [...new Set(start.tags)]);
  const { text, isPullRequest } = refTextOf(start.project);
  const ref = parseRef(text ?? (await projects.findPrimaryRef(tx, deployment, project)) ?? 'main', { isPullRequest });
  const branch = await scans.recordRef(tx, { deployment, id: project }, ref);
  const isPartial = partialRuleIds !== undefined;
  const optional = {
    requestId: start.scan.unique_id,
    commit: start.project.commit,
    baseCommit: start.project.base_sha ?? start.project.base_branch_head_commit,
    scannerVersion: start.scan.cli_version ?? start.project.semgrep_version,
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => typeof value === 'string'));
  const scan = await scans.start(tx, {
    deployment,
    project,
    ref: branch,
    source: 'cli',
    format: 'semgrep-ci',
    tool: 'semgrep',
    analysisKey: 'semgrep',
    mode: start.project.is_full_scan === false ? 'diff' : isPartial ? 'partial' : 'full',
    products: scanProducts,
    ...(isPartial && { partialRuleIds }),
    environment: start.project.scan_environment ?? 'git',
    meta: givenMetadata(start.project),
    startedBy: caller.credential,
    at: now,
    ...given,
  });
  answer.recordEffect({ object: `scan/${scan}`, after: { project, ref: ref.name } });
  return { scan, project, products: scanProducts, partialRuleIds };
}

/** The rules that the scanner runs and the findings that it ignores. */
export async function scanConfigOf({ tx, caller, services }: ScannerCall, started: ScannerRun, includesRules = true) {
  const { deployment } = caller;
  const { project, products: scanProducts, partialRuleIds } = started;
  const request = { products: scanProducts, partialRuleIds, baseUrl: services.baseUrl };
  const rules = includesRules ? await listRulesForScan(tx, { deployment, project }, request) : [];
  const ignored = await store.ignoredIds(tx, deployment, project);
  return {
    rules: { rules },
    triage_ignored_syntactic_ids: ignored.syntactic,
    triage_ignored_match_based_ids: ignored.matchBased,
  };
}

export async function scanInfoOf({ tx, caller }: ScannerCall, { scan, products: scanProducts }: ScannerRun) {
  const { id, slug } = await store.deploymentOf(tx, caller.deployment);
  return {
    ...(scan !== undefined && { id: scan as Id<'Scan'> }),
    enabled_products: scanProducts,
    deployment_id: id as Id<'Deployment'>,
    deployment_name: slug,
  };
}

/** A scan that was started before, for scanners that fetch its rules in a second request. */
export async function findScannerRun(tx: Tx, deployment: string, scan: string): Promise<ScannerRun> {
  const found = await scans.find(tx, deployment, scan);
  const scanProducts = SCANNER_PRODUCTS.filter((product) => found?.products.includes(product));
  return { scan, project: found?.project_id, products: scanProducts, partialRuleIds: found?.partial_rule_ids };
}

/** Starts a scan whose rules the scanner fetches in a second request, which names it by the client's id of the run. */
export async function requestScan(call: ScannerCall, start: ScanStart): Promise<ScannerRun> {
  const started = await beginScan(call, start);
  const requestId = start.scan.unique_id ?? undefined;
  if (started.scan === undefined && requestId !== undefined) {
    const { tx, caller, now } = call;
    const { project, products, partialRuleIds } = started;
    await saveDryRun(
      tx,
      { deployment: caller.deployment, requestId, startedBy: caller.credential },
      { project, products, partialRuleIds: partialRuleIds && [...partialRuleIds], at: now },
    );
  }
  return started;
}

/** What `requestScan` started under the client's id: a scan or a dry run. Without it, the default boards apply. */
export async function findRequestedRun({ tx, caller }: ScannerCall, requestId: string): Promise<ScannerRun> {
  const { deployment } = caller;
  const scan = await store.findByRequestId(tx, caller, requestId);
  if (scan !== undefined) return findScannerRun(tx, deployment, scan);
  const dryRun = await findDryRun(tx, { deployment, requestId, startedBy: caller.credential });
  const products = SCANNER_PRODUCTS.filter((product) => !dryRun || dryRun.products.includes(product));
  const project = dryRun?.project;
  const isHidden = project !== undefined && (await findUnknownProjects(tx, caller, [project])).size > 0;
  return {
    scan: undefined,
    project: isHidden ? undefined : project,
    products,
    partialRuleIds: dryRun?.partialRuleIds,
  };
}
