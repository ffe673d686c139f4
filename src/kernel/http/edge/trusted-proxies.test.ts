import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TrustedProxies } from '#kernel/http/edge/trusted-proxies.ts';

function trusting(text: string): TrustedProxies {
  const { proxies, errors } = TrustedProxies.parse(text);
  assert.deepEqual(errors, []);
  return proxies;
}

test('HTP-06 no proxy is trusted by default', () => {
  const proxies = trusting('');
  for (const header of [undefined, '', '1.2.3.4', '127.0.0.1', '::1, 10.0.0.1']) {
    assert.equal(proxies.addressOf('127.0.0.1', header), '127.0.0.1');
    assert.equal(proxies.addressOf('::1', header), '::1');
  }
});

test('HTP-06 the header of an untrusted peer is ignored', () => {
  const proxies = trusting('10.0.0.0/8, 2001:db8::/32');
  for (const peer of ['11.0.0.1', '9.255.255.255', '2001:db9::1', '192.0.2.1']) {
    assert.equal(proxies.addressOf(peer, '1.2.3.4'), peer);
    assert.equal(proxies.addressOf(peer, '1.2.3.4, 10.0.0.1'), peer);
  }
});

test('HTP-06 the client is the first untrusted address from the right', () => {
  const proxies = trusting('10.0.0.0/8 192.0.2.7\n2001:db8::1');
  const cases: [string, string | undefined, string][] = [
    ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', 'anything at all, 1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '6.6.6.6,1.2.3.4 , 192.0.2.7,\t10.1.1.1', '1.2.3.4'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.1', '2001:DB8:0:0::2', '2001:db8::2'],
    ['2001:db8:0::1', '1.2.3.4, 2001:db8::1', '1.2.3.4'],
    ['10.0.0.1', undefined, '10.0.0.1'],
  ];
  for (const [peer, header, client] of cases) assert.equal(proxies.addressOf(peer, header), client, header ?? 'none');
});

test('HTP-06 an invalid header falls back to the socket address', () => {
  const proxies = trusting('10.0.0.0/8');
  const unreadable = [
    '',
    ' ',
    ',',
    'x',
    '1.2.3.4,',
    '1.2.3.4, x',
    'x, 10.0.0.2',
    '1.2.3',
    '1.2.3.4:80',
    '[2001:db8::1]',
    '01.2.3.4',
  ];
  for (const header of [
    ...unreadable,
    'unknown',
    '1.2.3.4 5.6.7.8',
    'fe80::1%eth0',
    '1.2.3.4%1',
    '0x7f.1',
    '1.2.3.4\0',
    '999.1.1.1',
  ]) {
    assert.equal(proxies.addressOf('10.0.0.1', header), '10.0.0.1', header);
  }
});

test('HTP-06 IPv4-mapped IPv6 is the IPv4 address, as peer, in the header and in the list', () => {
  const proxies = trusting('10.0.0.1, ::ffff:10.0.0.2');
  for (const peer of ['::ffff:10.0.0.1', '::FFFF:a00:1', '0:0:0:0:0:ffff:10.0.0.1', '10.0.0.2', '::ffff:10.0.0.2']) {
    assert.equal(proxies.addressOf(peer, '::ffff:1.2.3.4'), '1.2.3.4');
  }
  assert.equal(trusting('').addressOf('::ffff:1.2.3.4', undefined), '1.2.3.4');
  assert.equal(trusting('').addressOf('fe80::1%eth0', undefined), 'fe80::1');
});

test('HTP-06 a range of one family never trusts an address of the other', () => {
  assert.equal(trusting('::/0').addressOf('10.0.0.1', '1.2.3.4'), '10.0.0.1');
  assert.equal(trusting('0.0.0.0/0').addressOf('2001:db8::1', '1.2.3.4'), '2001:db8::1');
  assert.equal(trusting('0.0.0.0/0').addressOf('::ffff:10.0.0.1', '2001:db8::1'), '2001:db8::1');
});

test('a socket without an address has an empty address', () => {
  assert.equal(trusting('0.0.0.0/0 ::/0').addressOf('', '1.2.3.4'), '');
});

test('each entry that is not an address or range is an error and trusts nothing', () => {
  const bad = [
    'x',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '/8',
    '010.0.0.1',
  ];
  for (const entry of [
    ...bad,
    '10.0.0.1:80',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/104',
    '*',
    '10.0.0.0/1e1',
    'localhost',
  ]) {
    const { proxies, errors } = TrustedProxies.parse(`192.0.2.1, ${entry}`);
    assert.equal(errors.length, 1, entry);
    assert.ok(errors[0]?.startsWith(`"${entry}" `) && errors[0].endsWith('.'));
    assert.equal(proxies.addressOf('10.0.0.1', '1.2.3.4'), '10.0.0.1');
    assert.equal(proxies.addressOf('192.0.2.1', '1.2.3.4'), '1.2.3.4');
  }
});

const families = [
  { bits: 32, separator: '.', groupBits: 8, radix: 10 },
  { bits: 128, separator: ':', groupBits: 16, radix: 16 },
] as const;

function written(value: bigint, family: (typeof families)[number]): string {
  const groups: string[] = [];
  for (let shift = family.bits - family.groupBits; shift >= 0; shift -= family.groupBits) {
    groups.push(((value >> BigInt(shift)) & ((1n << BigInt(family.groupBits)) - 1n)).toString(family.radix));
  }
  return groups.join(family.separator);
}

test('HTP-06 a range contains exactly the addresses with its prefix', () => {
  const sample = fc.constantFrom(...families).chain((family) =>
    fc.record({
      family: fc.constant(family),
      base: fc.bigInt({ min: 1n << 120n, max: (1n << 128n) - 1n }).map((value) => value >> BigInt(128 - family.bits)),
      prefix: fc.nat(family.bits),
      flipped: fc.nat(family.bits - 1),
    }),
  );
  fc.assert(
    fc.property(sample, ({ family, base, prefix, flipped }) => {
      const proxies = trusting(`${written(base, family)}/${prefix}`);
      const other = base ^ (1n << BigInt(family.bits - 1 - flipped));
      const isMember = flipped >= prefix;
      const address = proxies.addressOf(written(other, family), '192.0.2.200');
      assert.equal(
        address === '192.0.2.200',
        isMember,
        `${written(other, family)} in ${written(base, family)}/${prefix}`,
      );
    }),
    { numRuns: 2_000 },
  );
});
