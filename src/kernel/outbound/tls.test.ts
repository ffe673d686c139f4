import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { parseEgressAllow } from '#kernel/outbound/allowed-addresses.ts';
import { Egress, type EgressOptions } from '#kernel/outbound/egress.ts';

const run = promisify(execFile);

const open: Server[] = [];
after(() => {
  for (const server of open) server.close();
});

function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ECDSA_SHA256 = der(0x30, oid('2a8648ce3d040302'));

/** Creates a self-signed certificate, because Node can parse but not issue one. */
function issue(host: string, untilYear: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, host))));
  const validity = der(0x30, der(0x18, '20000101000000Z'), der(0x18, `${untilYear}0101000000Z`));
  const altNames = der(0x30, oid('551d11'), der(0x04, der(0x30, der(0x82, host))));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ...[ECDSA_SHA256, name, validity, name],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, altNames)),
  );
  const signature = sign('sha256', body, privateKey);
  const text = der(0x30, body, ECDSA_SHA256, der(0x03, Buffer.of(0), signature)).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const good = issue('good.test', '2099');

async function listen(server: Server): Promise<number> {
  open.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function ask(server: Server, more: Partial<EgressOptions> = {}, host = 'good.test') {
  const port = await listen(server);
  const { allow } = parseEgressAllow(`${host}:${port},127.0.0.1/32`);
  const egress = new Egress({ allow, resolve: async () => ['127.0.0.1'], ...more });
  return egress.request({ url: `https://${host}:${port}/`, method: 'GET', tenant: '7' });
}

function tls(options: ServerOptions): Server {
  return createServer(options, (request, response) => {
    response.end(String((request.socket as TLSSocket & { servername: string }).servername));
  });
}

test('SRF-02 TLS uses the host name while the connection goes to a pinned address', async () => {
  const { body } = await ask(tls(good), { ca: [good.cert] });
  assert.equal(body.toString(), 'good.test');
});

test('SRF-02 a self-signed certificate is refused', async () => {
  await assert.rejects(ask(tls(good)), { reason: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

test('SRF-02 a trusted certificate of another name is refused', async () => {
  await assert.rejects(ask(tls(good), { ca: [good.cert] }, 'other.test'), { reason: 'tls' });
  await assert.rejects(ask(tls(good), { ca: [good.cert] }, '127.0.0.1'), { reason: 'tls' });
});

test('SRF-02 an expired certificate is refused', async () => {
  const expired = issue('good.test', '2001');
  await assert.rejects(ask(tls(expired), { ca: [expired.cert] }), { reason: 'tls', code: 'CERT_HAS_EXPIRED' });
});

test('SRF-02 no environment variable disables the verification of certificates', async () => {
  const port = await listen(tls(good));
  const [client, addresses] = ['egress.ts', 'allowed-addresses.ts'].map((file) => new URL(file, import.meta.url).href);
  const script = `
    const [{ Egress }, { parseEgressAllow }] = await Promise.all([import('${client}'), import('${addresses}')]);
    const egress = new Egress({ allow: parseEgressAllow('127.0.0.1:${port}').allow });
    const request = { url: 'https://127.0.0.1:${port}/', method: 'GET', tenant: '7' };
    console.log(await egress.request(request).then(({ status }) => status, ({ reason }) => reason));`;
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { env });
  assert.equal(stdout.trim(), 'tls');
});

test('SRF-02 a server with plain HTTP, an old TLS version or a closed connection is a TLS failure', async () => {
  await assert.rejects(ask(createHttpServer((_, response) => response.end())), { reason: 'tls' });
  await assert.rejects(ask(tls({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }), { ca: [good.cert] }), {
    reason: 'tls',
  });
  await assert.rejects(ask(createTcpServer((socket) => socket.once('data', () => socket.destroy()))), {
    reason: 'tls',
  });
});

test('SRF-06 a server that never answers the handshake runs into the connect timeout', async () => {
  const sockets = createTcpServer((socket) => socket.on('error', () => {}).resume());
  await assert.rejects(ask(sockets, { connectTimeoutMs: 100 }), { reason: 'timeout', code: 'CONNECT' });
});
