import { createSecretKey } from 'node:crypto';
import { type IngestJob, type IngestOutcome, ingest } from '#domain/findings/ingest/ingest.ts';
import { stageItems } from '#domain/findings/ingest/stage-report.ts';
import type { ReportSummary, StagerOptions } from '#domain/findings/ingest/stager.ts';
import type { StagedBatch } from '#domain/findings/ingest/staging-worker.ts';
import * as ignores from '#domain/ignores/store.ts';
import type { ReportedCoverage, ReportedFinding, ReportItem } from '#domain/reports/report-items.ts';
import { parseRef } from '#domain/scans/refs.ts';
import * as scans from '#domain/scans/store.ts';
import type { TestDeployment, World } from '../world/world.ts';

/** A line of source with a finding. Its context comes from the neighboring lines. */
export interface FindingOptions {
  rule?: string;
  path: string;
  line: number;
  code: string;
  context?: string;
  more?: Partial<ReportedFinding>;
}

export const makeReportedFinding = ({
  rule = 'no-eval',
  path,
  line,
  code,
  context,
  more = {},
}: FindingOptions): ReportedFinding => ({
  product: 'sast',
  rule,
  path,
  region: { line, column: 1, endLine: line, endColumn: code.length + 1 },
  message: `${rule} found`,
  severity: 'high',
  code,
  ...(context !== undefined && { context }),
  fingerprints: {},
  ...more,
});

/** Scans a generated source file: each line with a word of a rule is a match, with two lines of context. */
export function scanText(path: string, text: string, rules: readonly string[]): ReportedFinding[] {
  const lines = text.split('\n');
  return lines.flatMap((code, index) =>
    rules
      .filter((rule) => code.includes(rule))
      .map((rule) =>
        makeReportedFinding({
          rule,
          path,
          line: index + 1,
          code: code.trim(),
          context: lines.slice(Math.max(0, index - 2), index + 3).join('\n'),
        }),
      ),
  );
}

export interface ScanOptions {
  ref?: string;
  mode?: scans.ScanMode;
  tool?: string;
  coverage?: ReportedCoverage;
  isExactAboutRules?: boolean;
  extra?: readonly ReportItem[];
  at?: Date;
  /** Processes every result, as if there were no result cache. */
  isForgetful?: boolean;
}

async function* staged(
  items: readonly ReportItem[],
  options: StagerOptions,
  onEnd: (heard: ReportSummary) => void,
): AsyncGenerator<StagedBatch> {
  for await (const batch of stageItems(items, options)) {
    if (batch.summary) onEnd(batch.summary);
    yield batch;
  }
}

/** Imports scans of one project and returns the state of its findings. */
export class ProjectScans {
  readonly #world: World;
  readonly #place: TestDeployment;
  readonly project: string;
  /** The number of staged results of each report, without unchanged ones. */
  readonly staged: number[] = [];
  #clock = Date.UTC(2026, 5, 1);

  private constructor(world: World, place: TestDeployment, project: string) {
    this.#world = world;
    this.#place = place;
    this.project = project;
  }

  static async start(world: World, place?: TestDeployment): Promise<ProjectScans> {
    const home = place ?? (await world.deployment());
    return new ProjectScans(world, home, await world.project(home));
  }

  async scan(findings: readonly ReportedFinding[], options: ScanOptions = {}): Promise<IngestOutcome> {
    const { ref = 'main', mode = 'full', tool = 'checker', coverage, extra = [], isExactAboutRules = false } = options;
    const deployment = this.#place.id;
    this.#clock += 3600_000;
    const at = options.at ?? new Date(this.#clock);
    const items: ReportItem[] = [
      { kind: 'tool', name: tool },
      ...findings.map((finding): ReportItem => ({ kind: 'finding', ...finding })),
      ...extra,
      ...(coverage ? [{ kind: 'coverage', ...coverage } as const] : []),
    ];
    const long = { role: 'app', deployment, isRead: false, isLong: true } as const;
    return this.#world.assembly.db.transaction(long, async (tx) => {
      const branch = await scans.recordRef(tx, { deployment, id: this.project }, parseRef(ref));
      const scan = await scans.start(tx, {
        deployment,
        project: this.project,
        ref: branch,
        source: 'import',
        format: 'test',
        tool,
        analysisKey: tool,
        mode,
        products: ['sast'],
        environment: 'test',
        meta: {},
        startedBy: 'test',
        at,
      });
      const ignored = await ignores.list(tx, deployment);
      const job: IngestJob = {
        deployment,
        project: this.project,
        ref: branch,
        scan,
        mode,
        hasCompleteRuleList: () => isExactAboutRules,
        at,
        actor: 'test',
        ignores: ignored,
      };
      const secrets = { key: createSecretKey(new Uint8Array(32)), deployment };
      return ingest(tx, job, ({ previousDigests }) => {
        const more = previousDigests && options.isForgetful !== true ? { previousDigests } : {};
        const onEnd = ({ findingCount }: ReportSummary) => void this.staged.push(findingCount);
        return staged(items, { ignores: ignored, secrets, ...more }, onEnd);
      });
    });
  }

  findings() {
    return this.#world.queryAsOwner<{
      id: string;
      rule: string;
      path: string;
      line: number;
      status: string;
      state: string;
    }>(
      `select id, rule, path, line, status, state, triage_state, reopened_count, is_held, is_flapping, first_seen_at,
         relevant_since from finding where project_id = $1 order by path, line, id`,
      [this.project],
    );
  }

  async statuses(): Promise<string[]> {
    return (await this.findings()).map(({ path, line, status }) => `${path}:${line} ${status}`);
  }

  async events(): Promise<string[]> {
    const rows = await this.#world.queryAsOwner<{ kind: string }>(
      `select kind from finding_event join finding on finding.id = finding_id where project_id = $1
       order by finding_event.id`,
      [this.project],
    );
    return rows.map(({ kind }) => kind);
  }
}
