import { Api, type ApiRequest } from '#test/faults/api.ts';
import { results, sarif, sendReport } from '#test/faults/import-reports.ts';
import { startGenerator } from '../load.ts';
import { type EventReader, openEvents } from './event-reader.ts';
import type { Tenant, TenantsBench } from './tenants-bench.ts';

const IMPORTERS = 6;
const IMPORTED_RESULTS = 4000;
const LIST_CONNECTIONS = 16;
const STREAMS = 10;
const MAX_MS = 3_600_000;

export interface Noise {
  /** Ends all of it; returns how much was done of each kind. */
  stop(): Promise<Record<string, number>>;
}

/** One tenant that does everything at once and as fast as it may: what exceeds its limits is refused. */
export async function startNoise(bench: TenantsBench, tenant: Tenant): Promise<Noise> {
  const { baseUrl } = bench.program;
  const made: Record<string, number> = {};
  let isStopping = false;
  const until = async (name: string, work: (count: number) => Promise<number>) => {
    for (let count = 0; !isStopping; count++) {
      const status = await work(count).catch(() => 0);
      const what = status === 200 ? name : `${name} answered with ${status}`;
      made[what] = (made[what] ?? 0) + 1;
    }
  };
  const api = new Api(baseUrl);
  const ask = async (request: Omit<ApiRequest, 'token'>) => (await api.ask({ ...request, token: tenant.token })).status;
  const issueTypes = ['ISSUE_TYPE_SAST'];
  const generator = startGenerator();
  const listing = generator.run({
    ...bench.listRequest(tenant),
    connections: LIST_CONNECTIONS,
    durationMs: MAX_MS,
  });
  const sender = { baseUrl, deployment: tenant.slug, token: tenant.token };
  const loops = [
    ...Array.from({ length: IMPORTERS }, (_, importer) =>
      until('imports', (count) => {
        const report = sarif(results(count * 100, count * 100 + IMPORTED_RESULTS, count));
        const commit = `${(0x1000000 + count).toString(16)}`;
        return sendReport(sender, report, { project: `acme/noise-${importer}`, commit });
      }),
    ),
    until('exports', () =>
      ask({ method: 'POST', path: `/api/agent/deployments/${tenant.id}/issues/export`, body: { issueTypes } }),
    ),
    until('bulk decisions', (count) =>
      ask({
        method: 'PATCH',
        path: `/api/agent/deployments/${tenant.id}/findings/v2`,
        body: {
          issueTypes,
          filter: { rules: [`rule-${count % 7}`] },
          params: { triageState: `FINDING_TRIAGE_STATE_${count % 2 === 0 ? 'REVIEWING' : 'FIXING'}`, note: 'noise' },
        },
      }),
    ),
  ];
  const streams: EventReader[] = [];
  for (let count = 0; count < STREAMS; count++) streams.push(await openEvents(baseUrl, tenant));
  return {
    stop: async () => {
      isStopping = true;
      generator.endJob();
      const { requests, failures } = await listing;
      await Promise.all(loops);
      for (const stream of streams) stream.close();
      api.close();
      generator.stop();
      return { ...made, lists: requests - failures, 'refused lists': failures };
    },
  };
}
