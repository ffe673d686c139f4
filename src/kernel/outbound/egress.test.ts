import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Secret } from '#kernel/crypto/secret.ts';
import { parseEgressAllow } from '#kernel/outbound/allowed-addresses.ts';
import { Egress, type EgressRequest } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';

const open: (Server | TcpServer)[] = [];
after(() => {
  for (const server of open) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server | TcpServer): Promise<number> {
  open.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function clientOf(server: Server | TcpServer) {
  const port = await listen(server);
  const egress = new Egress({ allow: parseEgressAllow(`127.0.0.1:${port}`).allow });
  const url = `http://127.0.0.1:${port}/path`;
  const get = (more: Partial<EgressRequest> = {}) => egress.request({ url, method: 'GET', tenant: '7', ...more });
  return { egress, port, url, get };
}

const http = (listener: RequestListener) => clientOf(createServer(listener));

/** A server that answers with raw bytes and then runs an action. */
function raw(answer: string, then: (socket: Socket) => void = () => {}) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(answer);
      then(socket);
    });
  });
  return clientOf(server);
}

async function failure(promise: Promise<unknown>): Promise<EgressFailure> {
  const error = await promise.then(
    () => assert.fail('The request succeeded.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof EgressFailure, inspect(error));
  return error;
}

const reasonOf = async (promise: Promise<unknown>) => (await failure(promise)).reason;

async function settled(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('SRF-02 an allowed target receives the request unchanged, and its response is returned completely', async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.setHeader('set-cookie', ['a=1', 'b=2']).writeHead(201);
    response.end(JSON.stringify([request.method, request.url, request.headers, body]));
  };
  const { get, url } = await http((request, response) => void answer(request, response));
  const reply = await get({
    url: `${url}?q=1#part`,
    method: 'POST',
    headers: { authorization: new Secret('Bearer x'), 'content-type': 'text/plain' },
    body: new Secret('client_secret=y'),
  });
  const [method, path, headers, body] = JSON.parse(reply.body.toString());
  assert.deepEqual([reply.status, method, path, body], [201, 'POST', '/path?q=1', 'client_secret=y']);
  assert.deepEqual([headers.authorization, headers['accept-encoding']], ['Bearer x', 'gzip']);
  assert.equal(headers['content-length'], '15');
  assert.equal(reply.headers['set-cookie'], 'a=1, b=2');
});

test('SRF-08 an error status is a normal response', async () => {
  const { get, port } = await http((request, response) => response.writeHead(Number(request.url?.slice(1))).end('no'));
  for (const status of [400, 401, 404, 429, 500, 503]) {
    const reply = await get({ url: `http://127.0.0.1:${port}/${status}` });
    assert.deepEqual([reply.status, reply.body.toString()], [status, 'no']);
  }
});

test('SRF-06 answers without a body are read for HEAD and 204, even when they claim to be gzip', async () => {
  const { get } = await http((_, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end());
  assert.equal((await get()).body.length, 0);
  assert.equal((await get({ method: 'HEAD' })).body.length, 0);
});

test('SRF-05 no redirect is followed', async () => {
  let hits = 0;
  const { get, port } = await http((request, response) => {
    hits += 1;
    const status = Number(request.url?.slice(1));
    response.writeHead(status, { location: `http://127.0.0.1:${port}/200` }).end('moved');
  });
  const statuses = [300, 301, 302, 303, 304, 305, 307, 308, 399];
  for (const status of statuses) {
    assert.equal(await reasonOf(get({ url: `http://127.0.0.1:${port}/${status}` })), 'redirect');
  }
  assert.equal(hits, statuses.length);
});

test('SRF-05 a redirect is an answer for a caller that asks for it, and is not followed then either', async () => {
  let hits = 0;
  const { get } = await http((_, response) => {
    hits += 1;
    response.writeHead(301, { location: 'http://169.254.169.254/' }).end('moved');
  });
  const reply = await get({ isRedirectAnswered: true });
  assert.deepEqual([reply.status, reply.headers['location'], hits], [301, 'http://169.254.169.254/', 1]);
});

test('SRF-06 a response is streamed while it arrives, within its limits of bytes and time', async () => {
  const { egress, url, port } = await http((request, response) => {
    response.write('first');
    if (request.url === '/endless') return;
    response.end(Buffer.alloc(1_000));
  });
  const stream = (path: string, more: { maxBytes?: number; timeoutMs?: number } = {}) => ({
    ...({ url: new URL(path, url).href, method: 'GET', tenant: '7', maxBytes: 2_000, timeoutMs: 60_000 } as const),
    ...more,
  });
  const sizes = await egress.stream(stream('/'), async ({ status, body }) => {
    let size = 0;
    for await (const chunk of body) size += chunk.length;
    return [status, size];
  });
  assert.deepEqual(sizes, [200, 1_005]);
  const firstOf = (path: string) =>
    egress.stream(stream(path), async ({ body }) => {
      for await (const chunk of body) return chunk.toString();
      return '';
    });
  assert.equal(await firstOf('/endless'), 'first');
  const drain = async ({ body }: { body: AsyncIterable<Buffer> }) => void (await Readable.from(body).toArray());
  assert.equal(await reasonOf(egress.stream(stream('/', { maxBytes: 1_004 }), drain)), 'too_large');
  assert.equal(await reasonOf(egress.stream(stream('/endless', { timeoutMs: 50 }), drain)), 'timeout');
  await assert.rejects(
    egress.stream(stream('/'), () => Promise.reject(new RangeError('mine'))),
    RangeError,
  );
  const denied = { ...stream('/'), url: `http://127.0.0.2:${port}/` };
  assert.equal(await reasonOf(egress.stream(denied, drain)), 'bad_url');
});

test('SRF-06 a body of exactly the limit is read and one byte more is too large', async () => {
  const { get } = await http((request, response) => response.end(Buffer.alloc(Number(request.headers['x-size']))));
  assert.equal((await get({ headers: { 'x-size': '262144' } })).body.length, 262_144);
  assert.equal(await reasonOf(get({ headers: { 'x-size': '262145' } })), 'too_large');
  assert.equal((await get({ headers: { 'x-size': '10' }, maxBytes: 10 })).body.length, 10);
  assert.equal(await reasonOf(get({ headers: { 'x-size': '11' }, maxBytes: 10 })), 'too_large');
});

test('SRF-06 an endless body is cut at the limit, and the connection is closed', async () => {
  let isClosed = false;
  const { get } = await raw('HTTP/1.1 200 OK\r\n\r\n', (socket) => {
    socket.on('close', () => (isClosed = true));
    const flood = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(16_384)));
    };
    socket.on('drain', flood);
    flood();
  });
  assert.equal(await reasonOf(get()), 'too_large');
  await settled(() => isClosed);
});

test('SRF-06 gzip is decoded, and a gzip bomb is cut at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const { get } = await http((request, response) => {
    response.setHeader('content-encoding', 'GZIP');
    response.end(request.headers['x-bomb'] ? bomb : gzipSync('hello'));
  });
  assert.equal((await get()).body.toString(), 'hello');
  assert.equal(await reasonOf(get({ headers: { 'x-bomb': '1' } })), 'too_large');
});

test('SRF-06 a body of exactly the limit is read even if gzip makes it longer', async () => {
  const { get } = await http((_, response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync(randomBytes(262_144)));
  });
  assert.equal((await get()).body.length, 262_144);
});

test('SRF-06 gzip data without output is cut at the limit', async () => {
  const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);
  const head = gzipSync('').subarray(0, 10);
  const { get } = await http((_, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(Buffer.concat([head, ...Array.from({ length: 60_000 }, () => emptyBlock)]));
  });
  assert.equal(await reasonOf(get()), 'too_large');
});

test('SRF-06 any other or broken encoding is refused', async () => {
  const { get } = await http((request, response) => {
    response.setHeader('content-encoding', String(request.headers['x-encoding']));
    response.end(gzipSync('hello').subarray(0, 15));
  });
  for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'x-gzip', 'gzip', 'identity, gzip', '']) {
    assert.equal(await reasonOf(get({ headers: { 'x-encoding': encoding } })), 'bad_response', encoding);
  }
});

test('SRF-06 more than 16 KiB of headers is too large, in one header or many', async () => {
  const long = await raw(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`);
  assert.equal(await reasonOf(long.get()), 'too_large');
  const many = await raw('HTTP/1.1 200 OK\r\n', (socket) => {
    const timer = setInterval(() => socket.write('x-more: and more and more\r\n'.repeat(100)), 1);
    socket.on('close', () => clearInterval(timer));
  });
  assert.equal(await reasonOf(many.get()), 'too_large');
});

test('SRF-06 a slow server is cut off in time, in the head and in the body', async () => {
  for (const start of ['HTTP/1.1 200 OK\r\nx: ', 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n']) {
    const { get } = await raw(start, (socket) => {
      const timer = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    assert.equal(await reasonOf(get({ timeoutMs: 200 })), 'timeout');
  }
});

test('SRF-06 a server that accepts but never responds is cut off in time', async () => {
  const { get } = await raw('');
  assert.equal(await reasonOf(get({ timeoutMs: 100 })), 'timeout');
});

test('SRF-08 garbage, early ends and protocol switches are bad responses', async () => {
  const answers = [
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    '',
  ];
  for (const answer of answers) {
    const { get } = await raw(answer, (socket) => socket.end());
    assert.equal(await reasonOf(get()), 'bad_response', answer);
  }
});

test('SRF-02 a closed port and a name without an address are unreachable', async () => {
  const server = createServer();
  const { get, port } = await clientOf(server);
  server.close();
  await once(server, 'close');
  assert.equal(await reasonOf(get()), 'unreachable');
  const { allow } = parseEgressAllow(`nowhere.test:${port}`);
  const lost = () => Promise.reject(Object.assign(new Error('queryA nowhere.test'), { code: 'ENOTFOUND' }));
  for (const resolve of [lost, async () => []]) {
    const egress = new Egress({ allow, resolve });
    assert.equal(
      await reasonOf(egress.request({ url: `http://nowhere.test:${port}`, method: 'GET', tenant: '7' })),
      'unreachable',
    );
  }
});

test('SRF-06 a name lookup that never ends is cut off in time', async () => {
  const egress = new Egress({ allow: parseEgressAllow('').allow, resolve: () => new Promise(() => {}) });
  const request = { url: 'https://slow.test', method: 'GET', tenant: '7', timeoutMs: 50 } as const;
  assert.equal(await reasonOf(egress.request(request)), 'timeout');
});

test('SRF-06 a tenant has five requests at once to a destination, its sixth waits, another tenant does not', async () => {
  const held: (() => void)[] = [];
  let peak = 0;
  const { get } = await http((request, response) => {
    if (request.headers['x-free']) return void response.end('free');
    held.push(() => response.end('held'));
    peak = Math.max(peak, held.length);
  });
  const calls = Array.from({ length: 12 }, () => get());
  await settled(() => held.length === 5);
  assert.equal((await get({ tenant: '8', headers: { 'x-free': '1' } })).body.toString(), 'free');
  assert.equal(await reasonOf(get({ timeoutMs: 50 })), 'timeout');
  calls.push(get());
  await get({ tenant: '8', headers: { 'x-free': '1' } });
  assert.equal(held.length, 5);
  for (let answered = 0; answered < 13; answered += 1) {
    await settled(() => held.length > 0);
    held.shift()?.();
  }
  assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([200]));
  assert.equal(peak, 5);
});

test('SRF-06, WHK-05 a destination that hangs does not delay another one of the same tenant', async () => {
  const ports = [
    await listen(createServer(() => undefined)),
    await listen(createServer((_, response) => void response.end('fast'))),
  ];
  const targets = ports.map((port) => `127.0.0.1:${port}`);
  const egress = new Egress({ allow: parseEgressAllow(targets.join(',')).allow });
  const [hanging, other] = targets.map(
    (target) => (timeoutMs: number) =>
      egress.request({ url: `http://${target}/`, method: 'GET', tenant: '7', timeoutMs }),
  );
  assert.ok(hanging && other);
  const calls = Array.from({ length: 20 }, () => reasonOf(hanging(2_000)));
  for (let call = 0; call < 20; call += 1) assert.equal((await other(60_000)).body.toString(), 'fast');
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['timeout']));
});

test('SRF-06 requests beyond a full queue are refused at once', async () => {
  const held: ServerResponse[] = [];
  const { get } = await http((_, response) => void held.push(response));
  let refused = 0;
  const note = (error: EgressFailure) => {
    assert.equal(error.code, 'QUEUE');
    refused += 1;
  };
  const calls = Array.from({ length: 1_010 }, () => get({ timeoutMs: 600_000 }).catch(note));
  await settled(() => refused === 5 && held.length === 5);
  for (let answered = 0; answered < 1_005; answered += 1) {
    await settled(() => held.length > 0);
    held.shift()?.end();
  }
  await Promise.all(calls);
  assert.equal(refused, 5);
});

test('SRF-06 no connection stays open, however a request ends', async () => {
  const server = createServer((request, response) => {
    const size = Number(request.url?.slice(1));
    response.writeHead(size % 3 === 0 ? 302 : 200).end(Buffer.alloc(size * 1_000));
  });
  const { egress, port } = await clientOf(server);
  const ask = (size: number) =>
    egress.request({
      url: `http://127.0.0.1:${port}/${size}`,
      method: 'GET',
      tenant: String(size % 7),
      maxBytes: 100_000,
      timeoutMs: 600_000,
    });
  const results = await Promise.allSettled(Array.from({ length: 600 }, (_, index) => ask(index % 150)));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 268);
  const count = () => new Promise<number>((resolve) => server.getConnections((_, connections) => resolve(connections)));
  while ((await count()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('SRF-07 a failure contains no part of the URL, headers, body or response', async () => {
  const { get, url } = await raw('canary-answer', (socket) => socket.end());
  const request = { url: `${url}/canary-path?canary=1`, headers: { 'x-canary': new Secret('canary') }, body: 'canary' };
  for (const wrong of [
    request,
    { ...request, url: 'http://canary:canary@canary/' },
    { ...request, url: 'https://[canary' },
  ]) {
    const error = await failure(get(wrong));
    assert.ok(
      !inspect(error, { depth: 9, showHidden: true })
        .replaceAll(/\n {4}at .*/g, '')
        .includes('canary'),
    );
    assert.equal(error.cause, undefined);
  }
});

test('SRF-02 headers that control the connection or contain line breaks are refused', async () => {
  let hits = 0;
  const { get } = await http((_, response) => {
    hits += 1;
    response.end();
  });
  const names = [
    'Host',
    'connection',
    'Transfer-Encoding',
    'content-length',
    'expect',
    'proxy-authorization',
    'Upgrade',
    'a b',
    '',
  ];
  for (const name of names) assert.equal(await reasonOf(get({ headers: { [name]: 'x' } })), 'bad_url', name);
  for (const value of ['a\r\nb: c', 'a\u0000', 'a\u0100']) {
    assert.equal(await reasonOf(get({ headers: { 'x-a': value } })), 'bad_url');
  }
  assert.equal(hits, 0);
});
