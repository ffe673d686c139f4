import { createSecretKey } from 'node:crypto';
import { type Ingest, ingest, type Outcome } from '#domain/findings/ingest.ts';
import type { Heard, StagerOptions } from '#domain/findings/stager.ts';
import { stageHere } from '#domain/findings/staging.ts';
import type { Staged } from '#domain/findings/staging-worker.ts';
import * as ignores from '#domain/ignores/store.ts';
import type { Reported, ReportedCoverage, ReportedFinding } from '#domain/reports/reported.ts';
import { refOf } from '#domain/scans/refs.ts';
import * as scans from '#domain/scans/store.ts';
import type { Place, World } from './world.ts';

/** A line of source with a finding in it: what stands around it comes from its neighbours. */
export interface Hit {
  rule?: string;
  path: string;
  line: number;
  code: string;
  context?: string;
  more?: Partial<ReportedFinding>;
}

export const hit = ({ rule = 'no-eval', path, line, code, context, more = {} }: Hit): ReportedFinding => ({
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

/** Scans a made-up source file: each line that holds one of the rules' words is a hit, with two lines around it. */
export function scanText(path: string, text: string, rules: readonly string[]): ReportedFinding[] {
  const lines = text.split('\n');
  return lines.flatMap((code, index) =>
    rules
      .filter((rule) => code.includes(rule))
      .map((rule) =>
        hit({
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
  extra?: readonly Reported[];
  at?: Date;
  /** Looks at every result, as if nothing were known of what was said before. */
  isForgetful?: boolean;
}

async function* staged(
  items: readonly Reported[],
  options: StagerOptions,
  onEnd: (heard: Heard) => void,
): AsyncGenerator<Staged> {
  for await (const batch of stageHere(items, options)) {
    if (batch.heard) onEnd(batch.heard);
    yield batch;
  }
}

/** Brings scans of one project in, and shows what became of its findings. */
export class Scanning {
  readonly #world: World;
  readonly #place: Place;
  readonly project: string;
  /** How many results each reading of a report staged, because they did not say the same again. */
  readonly staged: number[] = [];
  #clock = Date.UTC(2026, 5, 1);

  private constructor(world: World, place: Place, project: string) {
    this.#world = world;
    this.#place = place;
    this.project = project;
  }

  static async start(world: World, place?: Place): Promise<Scanning> {
    const home = place ?? (await world.deployment());
    return new Scanning(world, home, await world.project(home));
  }

  async scan(findings: readonly ReportedFinding[], options: ScanOptions = {}): Promise<Outcome> {
    const { ref = 'main', mode = 'full', tool = 'checker', coverage, extra = [], isExactAboutRules = false } = options;
    const deployment = this.#place.id;
    this.#clock += 3600_000;
    const at = options.at ?? new Date(this.#clock);
    const items: Reported[] = [
      { kind: 'tool', name: tool },
      ...findings.map((finding): Reported => ({ kind: 'finding', ...finding })),
      ...extra,
      ...(coverage ? [{ kind: 'coverage', ...coverage } as const] : []),
    ];
    const long = { role: 'app', deployment, isRead: false, isLong: true } as const;
    return this.#world.assembly.db.transaction(long, async (tx) => {
      const branch = await scans.seeRef(tx, { deployment, id: this.project }, refOf(ref));
      const scan = await scans.start(tx, {
        deployment,
        project: this.project,
        branch,
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
      const job: Ingest = {
        deployment,
        project: this.project,
        branch,
        scan,
        mode,
        isExactAboutRules: () => isExactAboutRules,
        at,
        actor: 'test',
        ignores: ignored,
      };
      const secrets = { key: createSecretKey(new Uint8Array(32)), deployment };
      return ingest(tx, job, ({ known }) => {
        const more = known && options.isForgetful !== true ? { known } : {};
        const onEnd = ({ findingCount }: Heard) => void this.staged.push(findingCount);
        return staged(items, { ignores: ignored, secrets, ...more }, onEnd);
      });
    });
  }

  findings() {
    return this.#world.look<{ id: string; rule: string; path: string; line: number; status: string; state: string }>(
      `select id, rule, path, line, status, state, triage_state, reopened_count, is_held, is_flapping, first_seen_at,
         relevant_since from finding where project_id = $1 order by path, line, id`,
      [this.project],
    );
  }

  async statuses(): Promise<string[]> {
    return (await this.findings()).map(({ path, line, status }) => `${path}:${line} ${status}`);
  }

  async events(): Promise<string[]> {
    const rows = await this.#world.look<{ kind: string }>(
      `select kind from finding_event join finding on finding.id = finding_id where project_id = $1
       order by finding_event.id`,
      [this.project],
    );
    return rows.map(({ kind }) => kind);
  }
}
