import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isInside, parseAddress, parseNetwork, parseNetworks } from '#kernel/outbound/ip.ts';

const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

test('SRF-03 an IPv4 address has one spelling and one value', () => {
  fc.assert(
    fc.property(fc.nat(0xffffffff), (value) => {
      assert.deepEqual(parseAddress(dotted(value)), { family: 4, value: BigInt(value) });
    }),
  );
  for (const text of [
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.0.0.01',
    '1.2.3.4.',
    ' 1.2.3.4',
    '1.2.3.256',
  ]) {
    assert.equal(parseAddress(text), null, text);
  }
});

test('SRF-03 an IPv6 address has one value in all its spellings', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const groups = new URL(`http://[${text}]`).hostname;
      assert.deepEqual(parseAddress(text), parseAddress(groups.slice(1, -1)));
      assert.deepEqual(parseAddress(text.toUpperCase()), parseAddress(text));
    }),
  );
  assert.deepEqual(parseAddress('::'), { family: 6, value: 0n });
  assert.deepEqual(parseAddress('1::'), { family: 6, value: 1n << 112n });
  assert.deepEqual(parseAddress('1:2:3:4:5:6:7:8'), { family: 6, value: 0x00010002000300040005000600070008n });
  assert.deepEqual(parseAddress('::1.2.3.4'), { family: 6, value: 0x01020304n });
  assert.deepEqual(parseAddress('64:ff9b::192.0.2.33')?.value, parseAddress('64:ff9b::c000:221')?.value);
});

test('SRF-03 an IPv4-mapped address is its IPv4 address in both spellings', () => {
  fc.assert(
    fc.property(fc.nat(0xffffffff), (value) => {
      const hex = `::ffff:${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
      assert.deepEqual(parseAddress(`::ffff:${dotted(value)}`), { family: 4, value: BigInt(value) });
      assert.deepEqual(parseAddress(hex), { family: 4, value: BigInt(value) });
    }),
  );
});

test('SRF-03 zones, brackets and other text are not addresses', () => {
  for (const text of [
    'fe80::1%eth0',
    '[::1]',
    '::1/128',
    '',
    ':',
    ':::',
    '1::2::3',
    'localhost',
    '::g',
    '1:2:3:4:5:6:7',
  ]) {
    assert.equal(parseAddress(text), null, text);
  }
  fc.assert(fc.property(fc.string(), (text) => (parseAddress(text) === null) === (isIP(text) === 0)));
});

const SHAPES = {
  ipv4: { bits: 32, write: (value: bigint) => dotted(Number(value)) },
  ipv6: {
    bits: 128,
    write: (value: bigint) =>
      Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':'),
  },
};

test('SRF-03 membership agrees with BlockList at the borders of a network', () => {
  const families = fc.constantFrom('ipv4' as const, 'ipv6' as const);
  fc.assert(
    fc.property(
      families,
      fc.bigInt(1n << 120n, (1n << 128n) - 1n),
      fc.nat(128),
      fc.nat(128),
      (family, seed, size, flip) => {
        const { bits, write } = SHAPES[family];
        const base = seed >> BigInt(128 - bits);
        const prefix = size % (bits + 1);
        const text = write(base ^ (1n << BigInt(flip % bits)));
        const list = new BlockList();
        list.addSubnet(write(base), prefix, family);
        const [address, start] = [parseAddress(text), parseAddress(write(base))];
        assert.ok(address && start);
        assert.equal(isInside(address, { ...start, prefix }), list.check(text, family));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('SRF-03 an address of one family is in no network of the other', () => {
  for (const [text, network] of [
    ['1.2.3.4', '::/1'],
    ['::1', '0.0.0.0/1'],
    ['::1.2.3.4', '1.2.3.4/32'],
  ] as const) {
    const [address, inside] = [parseAddress(text), parseNetwork(network)];
    assert.ok(address && inside);
    assert.equal(isInside(address, inside), false);
  }
});

test('SRF-03 a mistake in our own tables of networks throws', () => {
  assert.equal(parseNetworks('10.0.0.0/8 fd00::/8').length, 2);
  assert.throws(() => parseNetworks('10.0.0.0/8 10.0.0.1/8'), TypeError);
});

test('SRF-04 a network with an invalid prefix or host bits is refused', () => {
  assert.deepEqual(parseNetwork('10.0.0.0/8'), { family: 4, value: 0x0a000000n, prefix: 8 });
  assert.deepEqual(parseNetwork('fd00::/8'), { family: 6, value: 0xfdn << 120n, prefix: 8 });
  for (const text of ['10.0.0.1/8', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/', '/8', '10.0.0.0', '10/8', 'fd00::1/8']) {
    assert.equal(parseNetwork(text), null, text);
  }
  for (const text of [
    '::/129',
    '::ffff:10.0.0.0/104',
    '::ffff:10.0.0.0/8',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
  ]) {
    assert.equal(parseNetwork(text), null, text);
  }
});
