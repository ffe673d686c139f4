import { secretsOf, settle } from '#domain/findings/bring-in.ts';
import { ingest, type Outcome } from '#domain/findings/ingest.ts';
import { stageHere } from '#domain/findings/staging.ts';
import type { Reported, ReportedFinding } from '#domain/reports/reported.ts';
import { refOf } from '#domain/scans/refs.ts';
import * as scans from '#domain/scans/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import * as scanner from '#services/scanner/store.ts';
import type { Context } from './context.ts';
import { hexOf } from './random.ts';

export interface PlannedScan {
  project: string;
  ago: number;
  mode: scans.ScanMode;
  paths: readonly string[];
  findings: readonly ReportedFinding[];
  dependencies?: readonly Reported[];
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

async function open(tx: Tx, context: Context, scan: PlannedScan) {
  const { deployment } = context;
  const at = context.at(scan.ago);
  const project = await context.project(tx, scan.project);
  const branch = await scans.seeRef(tx, { deployment, id: project }, { ...refOf(refNameOf(scan)), at });
  const id = await scans.start(tx, {
    deployment,
    project,
    branch,
    source: 'cli',
    format: 'semgrep-ci',
    tool: 'semgrep',
    analysisKey: 'semgrep',
    mode: scan.mode,
    products: PRODUCTS,
    commit: hexOf(`${scan.project} ${scan.ago}`, 40),
    environment: 'github-actions',
    scannerVersion: SCANNER_VERSION,
    meta: metaOf(scan),
    startedBy: 'demo',
    at,
  });
  return { deployment, project, branch, scan: id, mode: scan.mode, products: PRODUCTS, at, actor: 'demo' };
}

const secondsOf = ({ findings }: PlannedScan) => 41 + (findings.length % 70);

/** Brings a scan in as a scanner's command line does: it starts, hands in what it found, and ends. */
export async function bringScan(tx: Tx, context: Context, scan: PlannedScan): Promise<Outcome> {
  const job = await open(tx, context, scan);
  const { deployment } = job;
  const rules = await context.rules(tx, job.project);
  const items: Reported[] = [
    { kind: 'tool', name: 'semgrep', format: 'semgrep-ci', version: SCANNER_VERSION },
    ...scan.findings.map((finding): Reported => ({ kind: 'finding', ...finding })),
    ...(scan.dependencies ?? []),
    { kind: 'coverage', pathsSearched: [...scan.paths] },
  ];
  const secrets = secretsOf(context.powers.keys, deployment);
  const outcome = await ingest(tx, { ...job, ignores: [], isExactAboutRules: () => false }, (knowing) =>
    stageHere(items, { ignores: [], secrets, ...knowing }),
  );
  const delivered = { ...outcome, scan: job.scan };
  await settle(tx, job, { ...delivered, digest: null, isComplete: false });
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

/** A scan that broke before it had anything to say. */
export async function bringFailure(tx: Tx, context: Context, scan: PlannedScan): Promise<void> {
  const { deployment, scan: id, at } = await open(tx, context, scan);
  await scans.fail(tx, { deployment, id, exitCode: 2, at: new Date(at.getTime() + 9000) });
}
