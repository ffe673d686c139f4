import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { parseEgressAllow } from '#kernel/outbound/allowed-addresses.ts';
import { Egress } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';

const ALLOWED = '127.0.0.1';
const DENIED = '127.0.0.2';

let answerOf: (query: number) => readonly string[] = () => [];
let queries = 0;
const nameServer = createSocket('udp4', (query, { port, address }) => {
  const answers = answerOf(queries++);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt32BE(0x81800001, 2);
  head.writeUInt16BE(answers.length, 6);
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const records = answers.map((ip) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split('.').map(Number)]),
  );
  nameServer.send(Buffer.concat([head, question, ...records]), port, address);
});
nameServer.bind(0, '127.0.0.1');
await once(nameServer, 'listening');

const connections = new Map<string, number>();
const server = createServer((_, response) => response.end('ok'));
server.on('connection', ({ localAddress = '' }) =>
  connections.set(localAddress, (connections.get(localAddress) ?? 0) + 1),
);
server.listen(0, '0.0.0.0');
await once(server, 'listening');
after(() => {
  nameServer.close();
  server.close();
});

const { port } = server.address() as AddressInfo;
const resolver = new dns.Resolver();
resolver.setServers([`127.0.0.1:${nameServer.address().port}`]);
const egress = new Egress({
  allow: parseEgressAllow(`flip.test:${port},${ALLOWED}/32`).allow,
  resolve: (host) => resolver.resolve4(host),
});

async function outcome(tenant: string): Promise<string> {
  try {
    const { body } = await egress.request({ url: `http://flip.test:${port}/`, method: 'GET', tenant });
    return body.toString();
  } catch (error) {
    assert.ok(error instanceof EgressFailure);
    return error.reason;
  }
}

async function outcomes(count: number): Promise<Record<string, number>> {
  queries = 0;
  connections.clear();
  const all = await Promise.all(Array.from({ length: count }, (_, index) => outcome(String(index % 10))));
  const groups = Object.groupBy(all, (result) => result);
  return Object.fromEntries(Object.entries(groups).map(([result, list]) => [result, list?.length ?? 0]));
}

test('SRF-02 a name that alternates 1,000 times between two addresses never connects to the denied one', async () => {
  answerOf = (query) => [query % 2 === 0 ? ALLOWED : DENIED];
  assert.deepEqual(await outcomes(1_000), { ok: 500, denied_address: 500 });
  assert.equal(queries, 1_000);
  assert.deepEqual([...connections], [[ALLOWED, 500]]);
});

test('SRF-02 one denied address among many denies the name, in any position', async () => {
  answerOf = (query) => Array.from({ length: 8 }, (_, index) => (index === query % 8 ? DENIED : ALLOWED));
  assert.deepEqual(await outcomes(40), { denied_address: 40 });
  assert.equal(connections.size, 0);
});

test('SRF-02 several allowed addresses result in one connection', async () => {
  answerOf = () => [ALLOWED, ALLOWED, ALLOWED];
  assert.deepEqual(await outcomes(20), { ok: 20 });
  assert.deepEqual([...connections], [[ALLOWED, 20]]);
});

test('SRF-02 the same name under another port or in another spelling is not the named target', async () => {
  queries = 0;
  answerOf = () => [ALLOWED];
  for (const url of [`http://flip.test.:${port}`, `http://flip.test:${port + 1}`, `http://x.flip.test:${port}`]) {
    await assert.rejects(egress.request({ url, method: 'GET', tenant: '7' }), { reason: 'bad_url' });
  }
  assert.equal(queries, 0);
});

test('SRF-02 the name lookup of the system is used unless another is given', async () => {
  const bySystem = new Egress({ allow: parseEgressAllow(`localhost:${port}`).allow });
  const { body } = await bySystem.request({ url: `http://localhost:${port}/`, method: 'GET', tenant: '7' });
  assert.equal(body.toString(), 'ok');
  const strict = new Egress({ allow: parseEgressAllow('').allow });
  await assert.rejects(strict.request({ url: 'https://localhost/', method: 'GET', tenant: '7' }), {
    reason: 'denied_address',
  });
});
