import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import { OperatorError } from '#kernel/errors/operator-error.ts';

export interface MetricsOptions {
  registry: Registry;
  /** 0 switches the listener off. */
  port: number;
  /** Answers /health; a process without other listeners has one. */
  isHealthy?: () => Promise<boolean>;
}

/** Serves /metrics, and /health if there is a check, on a loopback port of its own, so that it is never public. */
export async function serveMetrics({ registry, port, isHealthy }: MetricsOptions): Promise<Server | undefined> {
  if (port === 0) return undefined;
  const pages: Record<string, () => Promise<{ status: number; type: string; text: string }>> = {
    '/metrics': async () => ({ status: 200, type: registry.contentType, text: await registry.metrics() }),
    ...(isHealthy && { '/health': async () => healthPage(await isHealthy()) }),
  };
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? inUse(port) : error));
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

const healthPage = (isHealthy: boolean) => ({
  status: isHealthy ? 200 : 503,
  type: 'application/json',
  text: JSON.stringify({ status: isHealthy ? 'ok' : 'unavailable' }),
});

const inUse = (port: number) =>
  new OperatorError(
    `Port ${port} on 127.0.0.1 is in use by another program; choose another PARAPET_METRICS_PORT, or 0 for none.`,
  );
