import pg from 'pg';
import { results, sarif, sendReport } from '#test/faults/import-reports.ts';
import { type Bench, type Figure, median } from '../figure.ts';
import { insertFindings, insertProjects } from '../lists/insert-findings.ts';
import { startGenerator } from '../load.ts';
import { TenantsBench } from './tenants-bench.ts';

const DURATION_MS = 30 * 60_000;
const TENANTS = 10;
const FINDINGS = 1_000_000;
const REQUESTS_PER_SECOND = 300;
const CONNECTIONS = 30;
const SAMPLE_MS = 1000;
const IMPORT_MS = 5000;
const MAX_P99_MS = 250;
const MAX_GROWTH = 1.2;
const MAX_MORE_SESSIONS = 2;

interface Sample {
  memoryMb: number;
  sessions: number;
}

/** Half an hour of lists and small imports of ten tenants: no error, and nothing that grows. */
export const benchSoak: Bench = async ({ scale, log }) => {
  const bench = await TenantsBench.open(TENANTS);
  const owner = new pg.Client(await bench.connection());
  await owner.connect();
  try {
    for (const { id } of bench.tenants) {
      await insertProjects(owner, id);
      await insertFindings(owner, id, { from: 0, to: Math.round((FINDINGS * scale) / TENANTS) });
    }
    await owner.query('vacuum analyze');
    log(`${TENANTS} tenants with ${Math.round(FINDINGS * scale)} findings`);
    const generator = startGenerator();
    const [request, ...others] = bench.tenants.map((tenant) => bench.listRequest(tenant));
    if (!request) return [];
    const pauseMs = (1000 * CONNECTIONS) / REQUESTS_PER_SECOND;
    const durationMs = DURATION_MS * scale;
    const load = { ...request, others, connections: CONNECTIONS, pauseMs };
    await generator.run({ ...load, durationMs: Math.min(10_000, durationMs) });
    const watch = watchServer(bench, owner);
    const importing = importAllTheTime(bench, durationMs);
    const measured = await generator.run({ ...load, durationMs });
    const imported = await importing;
    generator.stop();
    const samples = watch.stop();
    log(`${measured.requests} requests, ${measured.perSecond.toFixed(0)}/s; ${imported.count} imports`);
    return figuresOf(samples, { p99Ms: measured.p99Ms, errors: measured.failures + imported.failures });
  } finally {
    await owner.end();
    await bench.close();
  }
};

async function importAllTheTime(bench: TenantsBench, durationMs: number): Promise<{ count: number; failures: number }> {
  const end = performance.now() + durationMs;
  let [count, failures] = [0, 0];
  while (performance.now() < end) {
    const { slug, token } = bench.tenant(count % TENANTS);
    const sender = { baseUrl: bench.program.baseUrl, deployment: slug, token };
    const report = sarif(results(count % 50, 100 + (count % 50)));
    const sent = { project: 'acme/soak', commit: (0x1000000 + count).toString(16) };
    if ((await sendReport(sender, report, sent).catch(() => 0)) !== 200) failures++;
    count++;
    await new Promise((resolve) => setTimeout(resolve, IMPORT_MS));
  }
  return { count, failures };
}

function watchServer(bench: TenantsBench, owner: pg.Client): { stop(): Sample[] } {
  const samples: Sample[] = [];
  const sample = async () => {
    const { rows } = await owner.query<{ count: string }>(
      "select count(*) from pg_stat_activity where backend_type = 'client backend'",
    );
    samples.push({ memoryMb: bench.memoryMb(), sessions: Number(rows[0]?.count) });
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return samples;
    },
  };
}

/** The last quarter is compared with the second: the first one still warms up. */
function figuresOf(samples: readonly Sample[], { p99Ms, errors }: { p99Ms: number; errors: number }): Figure[] {
  const quarter = Math.floor(samples.length / 4);
  const part = (number: number, pick: (sample: Sample) => number) =>
    median(samples.slice(number * quarter, (number + 1) * quarter).map(pick));
  const memory = (number: number) => part(number, ({ memoryMb }) => memoryMb);
  const sessions = (number: number) => part(number, (sample) => sample.sessions);
  return [
    { name: 'errors', value: errors, unit: '', target: { atMost: 0 } },
    { name: 'requests, p99', value: p99Ms, unit: 'ms', target: { atMost: MAX_P99_MS } },
    {
      name: 'memory of the server at the end',
      value: memory(3),
      unit: 'MB',
      baseline: { name: 'earlier', value: memory(1) },
      ratio: memory(3) / memory(1),
      target: { atMost: MAX_GROWTH },
    },
    {
      name: 'more sessions of PostgreSQL at the end than earlier',
      value: sessions(3) - sessions(1),
      unit: '',
      target: { atMost: MAX_MORE_SESSIONS },
    },
  ];
}
