import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { Counter, Registry } from 'prom-client';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { serveMetrics } from './metrics.ts';

async function takenPort(): Promise<{ port: number; free(): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, free: async () => void (await once(server.close(), 'close')) };
}

test('metrics and health are served on loopback, and a port in use is refused with what to do', async () => {
  const registry = new Registry();
  new Counter({ name: 'seen_total', help: 'Seen.', registers: [registry] }).inc();
  let isHealthy = true;
  const { port, free } = await takenPort();
  await assert.rejects(
    serveMetrics({ registry, port }),
    (error) => error instanceof OperatorError && /choose another PARAPET_METRICS_PORT/.test(error.message),
  );
  await free();
  const server = await serveMetrics({ registry, port, isHealthy: async () => isHealthy });
  const get = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    return { status: reply.status, text: await reply.text() };
  };
  assert.match((await get('/metrics')).text, /^seen_total 1$/m);
  assert.deepEqual(await get('/health'), { status: 200, text: '{"status":"ok"}' });
  isHealthy = false;
  assert.equal((await get('/health')).status, 503);
  assert.equal((await get('/other')).status, 404);
  server?.close();
});
