import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

/** Serves /metrics on a loopback port of its own, so that it is never public. */
export async function serveMetrics(registry: Registry, port: number): Promise<Server | undefined> {
  if (port === 0) return undefined;
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
