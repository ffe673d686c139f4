import { recordScanResult, secretDigestOptions } from '#domain/findings/ingest/import-report.ts';
import { type IngestOutcome, ingest } from '#domain/findings/ingest/ingest.ts';
import { stageItems } from '#domain/findings/ingest/stage-report.ts';
import type { ReportedFinding, ReportItem } from '#domain/reports/report-items.ts';
import { parseRef } from '#domain/scans/refs.ts';
import * as scans from '#domain/scans/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import * as scanner from '#services/scanner/store.ts';
import type { DemoContext } from './context.ts';
import { hexDigest } from './random.ts';

export interface PlannedScan {
  project: string;
  ago: number;
  mode: scans.ScanMode;
  paths: readonly string[];
  findings: readonly ReportedFinding[];
  dependencies?: readonly ReportItem[];
  pullRequest?: { number: number; title: string; author: string };
}

const PRODUCTS = ['sast', 'sca', 'secrets'];
const SCANNER_VERSION = '1.140.0';
const BRANCH = 'main';
const refNameOf = ({ pullRequest }: PlannedScan) => (pullRequest ? `refs/pull/${pullRequest.number}/head` : BRANCH);

function metaOf(scan: PlannedScan): object {
  const { pullRequest } = scan;
  return {
    on: pullRequest ? 'pull_request' : 'schedule',
    branch: refNameOf(scan),
    repository: scan.project,
    ...(pullRequest && {
      pull_request_id: String(pullRequest.number),
      pull_request_title: pullRequest.title,
      pull_request_author_username: pullRequest.author,
    }),
  };
}

async function open(tx: Tx, context: DemoContext, scan: PlannedScan) {
  const { deployment } = context;
  const at = context.daysAgo(scan.ago);
  const project = await context.project(tx, scan.project);
  const ref = await scans.recordRef(tx, { deployment, id: project }, { ...parseRef(refNameOf(scan)), at });
  const id = await scans.start(tx, {
    deployment,
    project,
    ref,
    source: 'cli',
    format: 'semgrep-ci',
    tool: 'semgrep',
    analysisKey: 'semgrep',
    mode: scan.mode,
    products: PRODUCTS,
    commit: hexDigest(`${scan.project} ${scan.ago}`, 40),
    environment: 'github-actions',
    scannerVersion: SCANNER_VERSION,
    meta: metaOf(scan),
    startedBy: 'demo',
    at,
  });
  return { deployment, project, ref, scan: id, mode: scan.mode, products: PRODUCTS, at, actor: 'demo' };
}

const secondsOf = ({ findings }: PlannedScan) => 41 + (findings.length % 70);

/** Imports a scan like a scanner's command line: it starts the scan, sends its findings, and completes it. */
export async function importScan(tx: Tx, context: DemoContext, scan: PlannedScan): Promise<IngestOutcome> {
  const job = await open(tx, context, scan);
  const { deployment } = job;
  const rules = await context.rules(tx, job.project);
  const items: ReportItem[] = [
    { kind: 'tool', name: 'semgrep', format: 'semgrep-ci', version: SCANNER_VERSION },
    ...scan.findings.map((finding): ReportItem => ({ kind: 'finding', ...finding })),
    ...(scan.dependencies ?? []),
    { kind: 'coverage', pathsSearched: [...scan.paths] },
  ];
  const secrets = secretDigestOptions(context.services.keys, deployment);
  const outcome = await ingest(tx, { ...job, ignores: [], hasCompleteRuleList: () => false }, (knowing) =>
    stageItems(items, { ignores: [], secrets, ...knowing }),
  );
  const delivered = { ...outcome, scan: job.scan };
  await recordScanResult(tx, job, { ...delivered, digest: null, isComplete: false });
  const seconds = secondsOf(scan);
  const isBlocked = scan.pullRequest !== undefined && scan.findings.some(({ severity }) => severity === 'critical');
  await scanner.complete(tx, {
    deployment,
    scan: job.scan,
    exitCode: isBlocked ? 1 : 0,
    totalSeconds: seconds,
    stats: { findings: scan.findings.length, total_time: seconds, rules: rules.size, paths: scan.paths.length },
    at: new Date(job.at.getTime() + seconds * 1000),
  });
  return outcome;
}

/** Imports a scan that failed before it had results. */
export async function importFailedScan(tx: Tx, context: DemoContext, scan: PlannedScan): Promise<void> {
  const { deployment, scan: id, at } = await open(tx, context, scan);
  await scans.fail(tx, { deployment, id, exitCode: 2, at: new Date(at.getTime() + 9000) });
}
