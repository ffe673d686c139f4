import { results, sarif, sendReport } from '#test/faults/import-reports.ts';
import { type Bench, type Figure, percentile } from '../figure.ts';
import { type Measured, startGenerator } from '../load.ts';
import { startNoise } from './noise.ts';
import { type Tenant, TenantsBench } from './tenants-bench.ts';

const PHASE_MS = 60_000;
const MAX_MS = 3_600_000;
const QUIET_CONNECTIONS = 4;
/** About 20 requests per second in all, far below the limit. */
const QUIET_PAUSE_MS = 200;
const IMPORT_PAUSE_MS = 1000;
const MAX_RATIO = 2;
/** Per minute and credential: the noisy tenant sends ten times as many. */
const LIMITS = { PARAPET_LIMIT_API: '6000', PARAPET_LIMIT_WRITE: '600' };

interface QuietPhase {
  lists: Measured;
  importMs: number[];
  importFailures: number;
}

/** What the users of one tenant notice while another one imports, lists, exports, triages and listens at its limits. */
export const benchNoisyNeighbour: Bench = async ({ scale, log }) => {
  const bench = await TenantsBench.open(2, LIMITS);
  try {
    const [noisy, quiet] = [bench.tenant(0), bench.tenant(1)];
    const sender = ({ slug, token }: Tenant) => ({ baseUrl: bench.program.baseUrl, deployment: slug, token });
    for (const tenant of [noisy, quiet])
      await sendReport(sender(tenant), sarif(results(0, 2000)), { project: 'acme/base', commit: 'aaaaaaa' });
    const durationMs = PHASE_MS * scale;
    await measure(bench, quiet, durationMs / 4);
    const alone = await measure(bench, quiet, durationMs);
    log(`alone: p99 ${alone.lists.p99Ms.toFixed(0)} ms of ${alone.lists.requests} lists`);
    const noise = await startNoise(bench, noisy);
    const beside = await measure(bench, quiet, durationMs);
    const made = await noise.stop();
    log(
      `the noisy tenant: ${Object.entries(made)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}`,
    );
    return figuresOf(alone, beside);
  } finally {
    await bench.close();
  }
};

/** Lists and small imports of a tenant at a steady, modest rate. */
async function measure(bench: TenantsBench, tenant: Tenant, durationMs: number): Promise<QuietPhase> {
  const generator = startGenerator();
  const listing = generator.run({
    ...bench.listRequest(tenant),
    connections: QUIET_CONNECTIONS,
    pauseMs: QUIET_PAUSE_MS,
    durationMs: MAX_MS,
  });
  const phase = { importMs: [] as number[], importFailures: 0 };
  const sender = { baseUrl: bench.program.baseUrl, deployment: tenant.slug, token: tenant.token };
  const end = performance.now() + durationMs;
  for (let count = 0; performance.now() < end; count++) {
    const start = performance.now();
    const report = sarif(results(count % 7, 20 + (count % 7)));
    const commit = `aaaa${(0x1000 + count).toString(16)}`;
    const status = await sendReport(sender, report, { project: 'acme/small', commit }).catch(() => 0);
    phase.importMs.push(performance.now() - start);
    if (status !== 200) phase.importFailures++;
    await new Promise((resolve) => setTimeout(resolve, IMPORT_PAUSE_MS));
  }
  generator.endJob();
  const lists = await listing;
  generator.stop();
  return { ...phase, lists };
}

function figuresOf(alone: QuietPhase, beside: QuietPhase): Figure[] {
  const compared = (name: string, pick: (phase: QuietPhase) => number): Figure => ({
    name,
    value: pick(beside),
    unit: 'ms',
    baseline: { name: 'alone', value: pick(alone) },
    ratio: pick(beside) / pick(alone),
    target: { atMost: MAX_RATIO },
  });
  return [
    compared('lists of the quiet tenant, p99', ({ lists }) => lists.p99Ms),
    compared('imports of the quiet tenant, p99', ({ importMs }) => percentile(importMs, 99)),
    {
      name: 'errors of the quiet tenant',
      value: alone.lists.failures + alone.importFailures + beside.lists.failures + beside.importFailures,
      unit: '',
      target: { atMost: 0 },
    },
  ];
}
