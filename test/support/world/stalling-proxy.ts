import { connect, createServer, type Socket } from 'node:net';
import type pg from 'pg';

export interface StallingProxy {
  connection: pg.ClientConfig;
  /** From now on nothing is forwarded. */
  stand(): void;
  goOn(): void;
  close(): void;
}

/** A proxy to the database that can be paused, like a busy server. */
export async function startStallingProxy(connection: pg.ClientConfig): Promise<StallingProxy> {
  const { host = 'localhost', port = 5432 } = connection;
  const near = new Set<Socket>();
  const server = createServer((socket) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    near.add(socket);
    socket.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('data', (bytes) => {
      if (!far.write(bytes)) socket.pause();
    });
    far.on('drain', () => socket.resume());
    far.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    connection: { ...connection, host: '127.0.0.1', port: address.port },
    stand: () => {
      for (const socket of near) socket.pause();
    },
    goOn: () => {
      for (const socket of near) socket.resume();
    },
    close: () => {
      server.close();
      for (const socket of near) socket.destroy();
    },
  };
}
