import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type pg from 'pg';

/** A proxy to PostgreSQL that delays every byte, so that round trips can be counted by time. */
export async function startSlowProxy(
  connection: pg.ClientConfig,
  oneWayMs: number,
): Promise<{ connection: pg.ClientConfig; stop(): void }> {
  const path = `${connection.host}/.s.PGSQL.${connection.port}`;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(path);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => void setTimeout(() => to.write(chunk), oneWayMs));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    connection: { ...connection, host: '127.0.0.1', port },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
