import type { Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Database } from '#kernel/db/database.ts';
import { serveMetrics } from '#kernel/log/metrics.ts';
import { measureJobs } from './gauges.ts';

/** Serves the metrics of a worker; it is healthy while the database answers. */
export async function serveWorkerMetrics(port: number, db: Database): Promise<Server | undefined> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureJobs(registry, db);
  const isHealthy = async () => {
    try {
      await db.transaction({ role: 'background', isRead: true }, (tx) => tx.run`select 1`);
      return true;
    } catch {
      return false;
    }
  };
  return serveMetrics({ registry, port, isHealthy });
}
