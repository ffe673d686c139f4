import assert from 'node:assert/strict';
import { generateKeySync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { listFindingPage, NEWEST_FIRST } from '#domain/findings/filter/finding-list.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { columnTypes } from '#kernel/db/database.ts';
import { Page as Paging } from '#kernel/db/query/page.ts';
import { Tx } from '#kernel/db/tx.ts';
import { allFindingsSnapshot } from '#services/issues/all-findings/merged-list.ts';
import { findingFilterOf } from '#services/issues/list/filter-mapping.ts';
import { listIssuesJson } from '#services/issues/list/store.ts';
import { Installation, type Run } from '#test/faults/installation.ts';
import { type Bench, type Figure, median } from './figure.ts';

const FINDINGS = 1_000_000;
const FEW = 10_000;
const PAGE = 100;
const WALK = 1000;
const ROUNDS = 40;
const TRIAGED = 10_000;

interface Page {
  issues: object[];
  cursor: string;
}

/** A deployment whose findings are inserted by SQL, because reads are measured and not imports. */
class FindingsBench {
  readonly #installation: Installation;
  readonly #client: pg.Client;
  readonly #program: Run;
  readonly #token: string;
  readonly deployment: string;

  private constructor(parts: {
    installation: Installation;
    client: pg.Client;
    program: Run;
    token: string;
    deployment: string;
  }) {
    this.#installation = parts.installation;
    this.#client = parts.client;
    this.#program = parts.program;
    this.#token = parts.token;
    this.deployment = parts.deployment;
  }

  static async open(): Promise<FindingsBench> {
    const installation = await Installation.make();
    const program = await installation.start();
    const running = await installation.postmaster();
    if (!running) throw new Error('PostgreSQL is not running.');
    const client = new pg.Client({ ...running.connection, types: columnTypes });
    await client.connect();
    const deployment = String((await client.query('select id from deployment')).rows[0]?.id);
    await client.query(
      `insert into project (deployment_id, name, name_key, default_branch)
       select $1, 'acme/service-' || n, 'acme/service-' || n, 'main' from generate_series(1, 200) as n`,
      [deployment],
    );
    await client.query(
      `insert into project_ref (deployment_id, project_id, ref) select $1, id, 'main' from project
       where deployment_id = $1`,
      [deployment],
    );
    await client.query(
      `insert into analysis (deployment_id, project_id, ref_id, key)
       select $1, project_id, id, 'bench' from project_ref where deployment_id = $1`,
      [deployment],
    );
    await client.query("select set_config('parapet.deployment', $1, false)", [deployment]);
    const token = await installation.token();
    return new FindingsBench({ installation, client, program, token, deployment });
  }

  /** Inserts findings up to this number, over two years, with detections on the primary ref. */
  async fill(from: number, to: number): Promise<void> {
    await this.#client.query(
      `with made as (
         insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
           category, cwes, owasps, path, line, start_column, end_line, end_column, code, state, first_scan_id,
           first_seen_at, relevant_since)
         select $1, analysis.project_id, (array['sast', 'sast', 'sast', 'sca', 'secrets'])[1 + n % 5], 'bench',
           'rule-' || n % 400, 'Rule ' || n % 400, 'User input reaches a sink, number ' || n, n / 5 % 5, 1 + n % 3,
           'security', array['CWE-' || 1 + n % 90], '{}', 'src/module-' || n % 900 || '/file-' || n % 31 || '.ts',
           1 + n % 4000, 1, 1 + n % 4000, 40, 'run(query[' || n || '])',
           case when n % 7 = 0 then 'fixed' else 'detected' end, 1,
           now() - n * interval '63 seconds', now() - n * interval '63 seconds'
         from generate_series($2::integer, $3::integer - 1) as n
         join (select project_id, row_number() over (order by project_id) as number from analysis
               where deployment_id = $1) as analysis on analysis.number = 1 + n % 200
         returning deployment_id, id, project_id, state, path, line, relevant_since
       )
       insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line,
         start_column, end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
       select made.deployment_id, analysis.id, made.id, made.state, 'new', false, made.path, made.line, 1, made.line,
         40, 1, made.relevant_since, made.relevant_since, 1
       from made join analysis on analysis.deployment_id = $1 and analysis.project_id = made.project_id`,
      [this.deployment, from, to],
    );
    await this.#client.query('vacuum analyze');
    await this.#folded();
  }

  /** A job folds tallies after inserts. Nothing is measured while it runs. */
  async #folded(): Promise<void> {
    const left = 'select from finding_tally where not is_compacted limit 1';
    while ((await this.#client.query(left)).rowCount !== 0) await pause(1000);
    await this.#client.query('vacuum analyze finding_tally, finding_hour');
  }

  async call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#program.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const reply = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, JSON.stringify(reply));
    return reply;
  }

  async list(more: object): Promise<Page> {
    const path = `/api/agent/deployments/${this.deployment}/issues`;
    return (await this.call('POST', path, { ...FILTERS, ...more })) as unknown as Page;
  }

  bare(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.#client.query(text, values);
  }

  /** The statements that the server sends for the page, sent directly: without HTTP, authentication and policies. */
  async own(): Promise<number> {
    const now = new Date();
    const caller = { ...anonymousCaller, deployment: this.deployment, seesEverything: true };
    const scope = { operation: 'bench', deployment: this.deployment, filter: {} };
    const page = new Paging({ scope, key: KEY, cursor: '', limit: PAGE, offset: 0, now: now.getTime() });
    const tx = new Tx(this.#client);
    await allFindingsSnapshot(tx, this.deployment);
    const wanted = { filter: findingFilterOf(FILTERS, now), order: NEWEST_FIRST, page };
    const ids = await listFindingPage(tx, { caller, now }, wanted);
    const text = await listIssuesJson(tx, { ids, included: {}, permission: 'TRIAGE_PERMISSION_IGNORE' });
    assert.ok(text.length > PAGE);
    return ids.length;
  }

  async close(): Promise<void> {
    await this.#client.end();
    // Otherwise it would restart PostgreSQL while the folder is removed.
    await this.#program.end('SIGTERM');
    await this.#installation.remove();
  }
}

const KEY = generateKeySync('aes', { length: 256 });

const FILTERS: Parameters<typeof findingFilterOf>[0] = {
  issueTypes: ['ISSUE_TYPE_SAST'],
  filter: { tab: 'ISSUE_TAB_OPEN', severities: ['SEVERITY_HIGH', 'SEVERITY_CRITICAL'] },
};

/** The same page in a naive query with all columns; its plan is up to the planner. */
const NAIVE = `select finding.*, project.name as project_name, project.url from finding
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
  where finding.deployment_id = $1 and finding.product = 'sast' and finding.status = 'open'
    and finding.severity in (3, 4)
  order by finding.relevant_since desc, finding.id desc limit ${PAGE}`;

/** The same page in a query written for the index: one scan of each range, then the first rows of both. */
const BARE = `select finding.*, project.name as project_name, project.url from (
    select finding.* from unnest(array[3, 4]::smallint[]) as stream (severity)
    cross join lateral (
      select * from finding where finding.deployment_id = $1 and finding.product = 'sast' and finding.status = 'open'
        and finding.severity = stream.severity
      order by finding.relevant_since desc, finding.id desc limit ${PAGE}) as finding
    order by finding.relevant_since desc, finding.id desc limit ${PAGE}) as finding
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
  order by finding.relevant_since desc, finding.id desc`;

async function timed(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Reads to the end in large pages, and returns a cursor near it. */
async function lastCursor(bench: FindingsBench): Promise<string> {
  let cursor = '';
  for (;;) {
    const page = await bench.list({ limit: WALK, cursor });
    if (page.cursor === '') return cursor;
    cursor = page.cursor;
  }
}

/** Checks that the page is full: a page with few rows would be fast in both cases and prove nothing. */
async function requireFullPages(bench: FindingsBench): Promise<void> {
  const { issues } = await bench.list({ limit: PAGE });
  assert.equal(issues.length, PAGE);
  assert.equal(await bench.own(), PAGE);
  for (const text of [BARE, NAIVE]) assert.equal((await bench.bare(text, [bench.deployment])).rows.length, PAGE);
}

/** Lists and bulk triage with a million findings. */
export const benchFindings: Bench = async ({ scale, log }) => {
  const bench = await FindingsBench.open();
  try {
    await bench.fill(0, FEW);
    await requireFullPages(bench);
    const few = await timed(() => bench.list({ limit: PAGE }));
    const count = Math.max(2 * FEW, Math.round(FINDINGS * scale));
    await bench.fill(FEW, count);
    log(`${count} findings inserted`);
    const many = await timed(() => bench.list({ limit: PAGE }));
    const own = await timed(() => bench.own());
    const bare = await timed(() => bench.bare(BARE, [bench.deployment]));
    const naive = await timed(() => bench.bare(NAIVE, [bench.deployment]));
    const cursor = await lastCursor(bench);
    const deep = await timed(() => bench.list({ limit: PAGE, cursor }));
    return [...listFigures({ few, many, own, bare, naive, deep, count }), await triageFigure(bench, count)];
  } finally {
    await bench.close();
  }
};

function listFigures({
  few,
  many,
  own,
  bare,
  naive,
  deep,
  count,
}: Record<'few' | 'many' | 'own' | 'bare' | 'naive' | 'deep' | 'count', number>): Figure[] {
  return [
    {
      name: `first page of ${count} findings, 3 filters`,
      value: many,
      unit: 'ms',
      baseline: { name: 'the SQL of that page alone', value: own },
      ratio: own / many,
      target: { atLeast: 0.5 },
    },
    {
      name: 'the same against rows of findings only',
      value: many,
      unit: 'ms',
      baseline: { name: 'SQL written for the index', value: bare },
      ratio: bare / many,
    },
    {
      name: 'the same against naive SQL',
      value: many,
      unit: 'ms',
      baseline: { name: 'naive SQL', value: naive },
      ratio: naive / many,
    },
    {
      name: 'the same at the end, by cursor',
      value: deep,
      unit: 'ms',
      baseline: { name: 'first page', value: many },
      ratio: deep / many,
      target: { atMost: 1.2 },
    },
    {
      name: `the same against ${FEW} findings`,
      value: many,
      unit: 'ms',
      baseline: { name: `at ${FEW}`, value: few },
      ratio: many / few,
      target: { atMost: 2 },
    },
  ];
}

/** Triage of 10,000 findings by filter, compared with one UPDATE of as many rows. */
async function triageFigure(bench: FindingsBench, count: number): Promise<Figure> {
  const rules = Math.min(400, Math.ceil((TRIAGED / count) * 400));
  const names = Array.from({ length: rules }, (_, index) => `rule-${index}`);
  const start = performance.now();
  const done = await bench.call('PATCH', `/api/agent/deployments/${bench.deployment}/findings/v2`, {
    issueTypes: ['ISSUE_TYPE_SAST', 'ISSUE_TYPE_SCA', 'ISSUE_TYPE_SECRETS'],
    filter: { rules: names },
    params: { triageState: 'FINDING_TRIAGE_STATE_REVIEWING', note: 'bench' },
  });
  const ours = performance.now() - start;
  const updated = Number(done['updatedCount']);
  await bench.bare('begin', []);
  const bareStart = performance.now();
  await bench.bare(
    `update finding set triage_state = 'fixing', triage_note = 'bare', triaged_at = now() where deployment_id = $1
       and id in (select id from finding where deployment_id = $1 and triage_state = 'untriaged' limit $2)`,
    [bench.deployment, updated],
  );
  const bare = performance.now() - bareStart;
  await bench.bare('rollback', []);
  return {
    name: `triage of ${updated} findings by filter`,
    value: ours,
    unit: 'ms',
    baseline: { name: 'one bare UPDATE', value: bare },
    ratio: ours / bare,
    target: { atMost: 5 },
  };
}
