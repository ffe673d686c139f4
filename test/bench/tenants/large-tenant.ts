import pg from 'pg';
import { randomFrom } from '#test/faults/campaign.ts';
import { results, sarif, sendReport } from '#test/faults/import-reports.ts';
import { type Bench, type Figure, median, percentile } from '../figure.ts';
import { insertFindings, insertProjects } from '../lists/insert-findings.ts';
import { startGenerator } from '../load.ts';
import { type Tenant, TenantsBench } from './tenants-bench.ts';

const FINDINGS = 1_000_000;
const SMALL_TENANTS = 200;
const SIZES = [100, 300, 1000, 3000, 10_000];
const LIST_MS = 2000;
const LISTED_TENANTS = 10;
const SAMPLE_MS = 50;
const MAX_STATEMENT_SECONDS = 2;
const MAX_RATIO = 1.5;

interface Phase {
  /** Milliseconds per result, by the size of the report. */
  imports: Map<number, number[]>;
  listP99Ms: number[];
  failures: number;
}

/**
 * Small tenants, half of them before and half after one large tenant has filled the tables that they share. The
 * planner has no statistics of the later ones.
 */
export const benchLargeTenant: Bench = async ({ scale, log }) => {
  const count = 2 * Math.max(SIZES.length, Math.round((SMALL_TENANTS * scale) / 2));
  const bench = await TenantsBench.open(1 + count, { PARAPET_LIMIT_LOGIN: '1000' });
  const owner = new pg.Client(await bench.connection());
  await owner.connect();
  try {
    const [large, ...small] = bench.tenants;
    if (!large) return [];
    await runPhase(bench, small.slice(0, 1));
    await owner.query('vacuum analyze');
    const before = await runPhase(bench, small.slice(0, count / 2));
    log(`${count / 2} small tenants alone`);
    await insertProjects(owner, large.id);
    await insertFindings(owner, large.id, { from: 0, to: Math.round(FINDINGS * scale) });
    // As a large import does. Statements that were prepared for nearly empty tables are planned again.
    await owner.query('analyze finding, detection, fingerprint');
    log(`one tenant with ${Math.round(FINDINGS * scale)} findings`);
    const watch = watchStatements(owner);
    const after = await runPhase(bench, small.slice(count / 2));
    const longest = await watch.stop();
    log(
      `longest statement, ${longest.seconds.toFixed(1)} s: ${longest.text.replace(/\s+/g, ' ').trim().slice(0, 300)}`,
    );
    return figuresOf(before, after, longest.seconds);
  } finally {
    await owner.end();
    await bench.close();
  }
};

async function runPhase(bench: TenantsBench, tenants: readonly Tenant[]): Promise<Phase> {
  const random = randomFrom(7);
  const order = tenants.map((tenant, index) => ({ tenant, size: SIZES[index % SIZES.length] ?? 0, rank: random() }));
  const phase: Phase = { imports: new Map(), listP99Ms: [], failures: 0 };
  const generator = startGenerator();
  for (const [index, { tenant, size }] of order.sort((one, other) => one.rank - other.rank).entries()) {
    const sender = { baseUrl: bench.program.baseUrl, deployment: tenant.slug, token: tenant.token };
    const start = performance.now();
    const status = await sendReport(sender, sarif(results(0, size)), { project: 'acme/web', commit: 'aaaaaaa' });
    phase.imports.set(size, [...(phase.imports.get(size) ?? []), (performance.now() - start) / size]);
    if (status !== 200) phase.failures++;
    if (index % Math.ceil(order.length / LISTED_TENANTS) !== 0) continue;
    const { p99Ms, failures } = await generator.run({
      ...bench.listRequest(tenant),
      connections: 1,
      durationMs: LIST_MS,
    });
    phase.listP99Ms.push(p99Ms);
    phase.failures += failures;
  }
  generator.stop();
  return phase;
}

interface SeenStatement {
  seconds: number;
  text: string;
}

/** Looks at running statements all the time; the longest one that was seen. */
function watchStatements(owner: pg.Client): { stop(): Promise<SeenStatement> } {
  let longest: SeenStatement = { seconds: 0, text: '' };
  let isStopping = false;
  const watching = (async () => {
    while (!isStopping) {
      const { rows } = await owner.query<SeenStatement>(
        `select extract(epoch from clock_timestamp() - query_start)::float8 as seconds, query as text
         from pg_stat_activity
         where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()
           and wait_event_type is distinct from 'Lock' and wait_event_type is distinct from 'Client'
         order by seconds desc limit 1`,
      );
      const [seen] = rows;
      if (seen && seen.seconds > longest.seconds) longest = seen;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return {
    stop: async () => {
      isStopping = true;
      await watching;
      return longest;
    },
  };
}

function figuresOf(before: Phase, after: Phase, slowestSeconds: number): Figure[] {
  const compared = (name: string, value: number, baseline: number): Figure => ({
    name,
    value,
    unit: 'ms',
    baseline: { name: 'alone', value: baseline },
    ratio: value / baseline,
    target: { atMost: MAX_RATIO },
  });
  const imports = [...before.imports].sort(([one], [other]) => one - other);
  return [
    ...imports.map(([size, alone]) =>
      compared(`import of ${size}, per result`, median(after.imports.get(size) ?? []), median(alone)),
    ),
    compared('lists, p99', percentile(after.listP99Ms, 50), percentile(before.listP99Ms, 50)),
    {
      name: 'longest statement meanwhile',
      value: slowestSeconds,
      unit: 's',
      target: { atMost: MAX_STATEMENT_SECONDS },
    },
    { name: 'errors', value: before.failures + after.failures, unit: '', target: { atMost: 0 } },
  ];
}
