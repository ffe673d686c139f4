import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { parseEgressAllow } from '#kernel/outbound/allowed-addresses.ts';
import { Egress } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import { parseTarget } from '#kernel/outbound/target.ts';

let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const { port } = server.address() as AddressInfo;
const { allow } = parseEgressAllow(`jira.inner:${port},10.1.2.3:8080,[fd12::1]:8080`);

function reasonOf(url: string): string | null {
  try {
    parseTarget(url, allow);
    return null;
  } catch (error) {
    assert.ok(error instanceof EgressFailure);
    return error.reason;
  }
}

/** Spellings of loopback, metadata and other internal hosts in a URL. */
const INNER_HOSTS = `
  127.0.0.1 127.1 127.0.1 127.000.000.001 0177.0.0.1 0177.0.0.01 0x7f.0.0.1 0x7F.0.0.0x1 0x7f000001 0x7f.1 2130706433
  017700000001 0 0.0.0.0 0x0 00 0.0 127.0.0.2 127.255.255.255 4294967295 0xffffffff 0xa9fea9fe 2852039166 025177524776
  169.254.169.254 169.254.43518 169.16689662 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 10.0.0.1 10.1 0xa000001 167772161
  192.168.1.1 192.168.257 3232235777 172.16.0.1 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192 224.0.0.1
  255.255.255.255 198.18.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① 127%2e0%2e0%2e1 %31%32%37.0.0.1 0x7f%2e1
  [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::FFFF:7F00:1]
  [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:127.0.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::127.0.0.1]
  [64:ff9b:1::10.0.0.1] [2002:7f00:1::1] [2002:a9fe:a9fe::] [2001::1] [2001:db8::1] [fe80::1] [fc00::1] [fd00:ec2::254]
  [fd20:ce::254] [fec0::1] [ff02::1] [100::1] [3fff::1] [5f00::1] localhost LOCALHOST ｌocalhost foo.localhost
  metadata.google.internal inner ip6-localhost 127.0.0.1.nip.test xn--80ak6aa92e.test
`
  .split(/\s+/)
  .filter(Boolean);

test(`SRF-03 none of ${INNER_HOSTS.length} spellings of an inner host in a URL leads to a connection`, async () => {
  const egress = new Egress({ allow, resolve: async () => ['127.0.0.1'] });
  for (const host of INNER_HOSTS) {
    for (const url of [
      `https://${host}/`,
      `https://${host}:8443/`,
      `https://${host}:${port}/`,
      `http://${host}:${port}/`,
    ]) {
      await assert.rejects(egress.request({ url, method: 'GET', tenant: '7' }), (error) => {
        assert.ok(error instanceof EgressFailure, url);
        assert.ok(['denied_address', 'bad_url'].includes(error.reason), url);
        return true;
      });
    }
  }
  assert.equal(connections, 0);
});

test('SRF-02 only https on the default ports is a target, and http or another port only where it is allowed', () => {
  for (const url of ['https://a.test', 'https://a.test:443/x', 'https://a.test:8443', 'HTTPS://A.test?x']) {
    assert.equal(reasonOf(url), null, url);
  }
  for (const url of [
    `http://jira.inner:${port}/`,
    `https://jira.inner:${port}/`,
    'http://10.1.2.3:8080',
    'http://[fd12::1]:8080',
  ]) {
    assert.equal(reasonOf(url), null, url);
  }
  for (const url of [
    'http://a.test',
    'http://a.test:443',
    'http://jira.inner',
    'http://10.1.2.3',
    `http://x.jira.inner:${port}`,
  ]) {
    assert.equal(reasonOf(url), 'bad_url', url);
  }
  for (const url of ['https://a.test:80', 'https://a.test:22', 'https://jira.inner:5432', 'https://10.1.2.3:8081']) {
    assert.equal(reasonOf(url), 'denied_address', url);
  }
});

test('SRF-02 user-info, other schemes, trailing dots and ambiguous texts are refused', () => {
  const urls = `https://user@a.test https://user:pass@a.test https://:pass@a.test https://a.test\\@b.test ftp://a.test
    file:///etc/passwd gopher://a.test data:text/plain,x javascript:1 https: https:// //a.test a.test https://a.test.
    https://a.test.:443/ https://[::1 https://[v1.x]/ https://a.test:99999 https://a.test:-1 https://a%00.test
    https://a..\\b https://999.999.999.999 https://1.2.3.4.5 https://a<b.test unix:/run/x ws://a.test wss://a.test`;
  for (const url of urls.split(/\s+/)) assert.equal(reasonOf(url), 'bad_url', url);
  for (const url of [
    '',
    ' ',
    ' https://a.test',
    'https://a.test ',
    'https://a\t.test',
    'https://a.test/\n',
    'https://a.test/\u0000',
  ]) {
    assert.equal(reasonOf(url), 'bad_url', url);
  }
  assert.equal(reasonOf(`https://a.test/${'a'.repeat(8_192 - 15)}`), null);
  assert.equal(reasonOf(`https://a.test/${'a'.repeat(8_192 - 14)}`), 'bad_url');
});

test('SRF-02 any text is either a target or a bad URL, never another error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.webUrl(),
        fc.string().map((text) => `https://${text}`),
      ),
      (text) => {
        reasonOf(text);
      },
    ),
  );
});

test('SRF-02 a target keeps host, port and path apart', () => {
  const { name, ...target } = parseTarget('https://A.test/p%20q?x=1#y', allow);
  assert.deepEqual(target, { host: 'a.test', port: 443, path: '/p%20q?x=1', isTls: true, isLiteral: false });
  assert.equal(name, 'a.test:443');
  const literal = parseTarget('https://[2606:4700::1]:8443', allow);
  assert.deepEqual([literal.host, literal.name, literal.isLiteral], ['2606:4700::1', '[2606:4700::1]:8443', true]);
});
