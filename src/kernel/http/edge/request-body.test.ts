import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { Fault } from '#kernel/contract/fault.ts';
import { DEFAULT_BODY_TIMEOUTS, RequestBody } from './request-body.ts';

const LIMIT = 100_000;
const read: Promise<string>[] = [];

/** On this path, reads only after the body has arrived completely. */
async function bytesOf(request: IncomingMessage, response: ServerResponse): Promise<Uint8Array> {
  while (request.url === '/late' && !request.complete) await new Promise(setImmediate);
  return new RequestBody(request, response, DEFAULT_BODY_TIMEOUTS).read(LIMIT);
}

/** Answers with the body, or with the code of the fault. */
const server = createServer((request, response) => {
  const told = bytesOf(request, response).then(
    (bytes) => `${bytes.length} bytes`,
    (error: unknown) => (error instanceof Fault ? error.kind.code : String(error)),
  );
  read.push(told);
  void told.then((text) => response.writeHead(200, { connection: 'close', 'content-length': text.length }).end(text));
});

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => {
  server.closeAllConnections();
  server.close();
});

async function open(head: string, path = '/'): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`);
  return socket;
}

async function answerTo(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString('latin1');
  return text.split('\r\n\r\n').at(-1) ?? '';
}

const chunkOf = (length: number) => `${length.toString(16)}\r\n${'a'.repeat(length)}\r\n`;

test('a body is read completely, in one chunk or many', async () => {
  for (const lengths of [[], [1], [5, 7, 9], [60_000, 40_000]]) {
    const socket = await open('transfer-encoding: chunked');
    for (const length of lengths) socket.write(chunkOf(length));
    socket.write('0\r\n\r\n');
    assert.equal(await answerTo(socket), `${lengths.reduce((sum, length) => sum + length, 0)} bytes`);
  }
});

test('a body that has arrived before it is read is read completely', async () => {
  for (const [lengths, told] of [
    [[], '0 bytes'],
    [[3], '3 bytes'],
    [[5, 7, 9], '21 bytes'],
  ] as const) {
    const socket = await open('transfer-encoding: chunked', '/late');
    socket.write(`${lengths.map(chunkOf).join('')}0\r\n\r\n`);
    assert.equal(await answerTo(socket), told);
  }
});

test('a body that exceeds the limit is refused before it ends (INP-02)', async () => {
  const socket = await open('transfer-encoding: chunked');
  socket.write(chunkOf(LIMIT));
  socket.write(chunkOf(1));
  assert.equal(await answerTo(socket), 'BODY_TOO_LARGE');
  const announced = await open(`content-length: ${LIMIT + 1}`);
  assert.equal(await answerTo(announced), 'BODY_TOO_LARGE');
});

test('a client that disconnects ends the read', async () => {
  const before = read.length;
  const socket = await open('content-length: 50');
  socket.write('half');
  while (read.length === before) await new Promise(setImmediate);
  socket.destroy();
  assert.equal(await read.at(-1), 'MALFORMED_REQUEST');
});

test('a client that sends Expect: 100-continue is told to continue', async () => {
  const socket = await open('content-length: 2\r\nexpect: 100-continue');
  const [first] = (await once(socket, 'data')) as [Buffer];
  assert.match(first.toString('latin1'), /^HTTP\/1\.1 100 Continue/);
  socket.write('{}');
  assert.equal(await answerTo(socket), '2 bytes');
});
