import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAllowedAddress, parseEgressAllow } from '#kernel/outbound/allowed-addresses.ts';

const { allow: nothing } = parseEgressAllow('');

const DENIED = `
  0.0.0.0 0.0.0.1 0.1.2.3 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 100.64.0.0 100.64.0.1 100.100.100.200
  100.127.255.255 127.0.0.0 127.0.0.1 127.0.0.2 127.0.1.1 127.1.2.3 127.255.255.254 127.255.255.255 168.63.129.16
  169.254.0.0 169.254.0.1 169.254.169.253 169.254.169.254 169.254.170.2 169.254.255.255 172.16.0.0 172.16.0.1
  172.17.0.1 172.31.255.255 192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.171 192.0.0.192
  192.0.0.255 192.0.2.0 192.0.2.1 192.0.2.255 192.31.196.1 192.52.193.1 192.88.99.0 192.88.99.1 192.168.0.0
  192.168.0.1 192.168.1.1 192.168.255.255 192.175.48.1 198.18.0.0 198.18.0.1 198.19.255.255 198.51.100.0
  198.51.100.7 203.0.113.0 203.0.113.255 224.0.0.0 224.0.0.1 224.0.0.251 233.252.0.1 239.255.255.250
  239.255.255.255 240.0.0.0 240.0.0.1 254.255.255.255 255.255.255.254 255.255.255.255
  :: ::1 ::2 ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::8.8.8.8 ::169.254.169.254 0:0:0:0:0:0:0:1
  0000:0000:0000:0000:0000:0000:0000:0001 0:0:0:0:0:0:127.0.0.1
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:127.0.0.1 0:0:0:0:0:ffff:127.0.0.1 0:0:0:0:0:FFFF:7F00:0001
  ::ffff:0.0.0.0 ::ffff:0:0 ::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe
  ::ffff:192.168.1.1 ::ffff:c0a8:101 ::ffff:172.16.0.1 ::ffff:100.64.0.1 ::ffff:224.0.0.1 ::ffff:255.255.255.255
  ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 ::ffff:0:8.8.8.8
  64:ff9b:: 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b::a9fe:a9fe 64:ff9b::169.254.169.254
  64:ff9b:1:: 64:ff9b:1::a00:1 64:ff9b:1:ffff::10.0.0.1 64:ff9b:2::1
  100:: 100::1 100:0:0:1::1 1::1 1fff:ffff::1 200::1 400::1 800::1 1000::1
  2001:: 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:7f00:1::1 2001:1::1 2001:1::2 2001:1::3 2001:2::
  2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:1f::1 2001:20::1 2001:2f::1 2001:30::1 2001:1ff:ffff::1
  2001:db8:: 2001:db8::1 2001:DB8:ffff::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
  2002:: 2002:7f00:1:: 2002:7f00:1::1 2002:a00:1:: 2002:a9fe:a9fe:: 2002:a9fe:a9fe::1 2002:c0a8:101::1 2002:808:808::1
  2620:4f:8000::1 3ffe::1 3ffe:ffff::1 3fff:: 3fff::1 3fff:fff::1
  4000::1 5f00::1 6000::1 8000::1 a000::1 c000::1 e000::1 f000::1
  fc00:: fc00::1 fcff::1 fd00:: fd00::1 fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fdff:ffff::1 fe00::1
  fe80:: fe80::1 fe80::a9fe:a9fe fe80::5efe:127.0.0.1 febf::1 fec0:: fec0::1 feff::1 ff00:: ff01::1 ff02::1
  ff02::fb ff05::1:3 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fe80::1%eth0 fe80::1%25lo ::1%lo 2606:4700::1%1
  127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7f000001 2130706433 017700000001 127.0.0.1. 127.0.0.01 127.00.0.1 0 1
  localhost localhost.localdomain [::1] [::127.0.0.1] example.com 1.2.3 1.2.3.4.5 256.1.1.1 -1 ① １２７.0.0.1
`
  .split(/\s+/)
  .filter(Boolean);

const PUBLIC = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.215.14 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  168.63.129.15 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 ::ffff:8.8.8.8 ::ffff:808:808
  2000::1 2001:200::1 2001:4860:4860::8888 2001:db7::1 2001:db9::1 2003::1 2606:4700:4700::1111 2a00:1450:4001::1
  2c0f:f248::1 3ffd::1 3fff:1000::1
`
  .split(/\s+/)
  .filter(Boolean);

test(`SRF-03 none of ${DENIED.length} inner, special or unclear spellings is allowed`, () => {
  assert.ok(DENIED.length >= 150);
  for (const ip of DENIED) assert.equal(isAllowedAddress(ip, nothing), false, ip);
});

test('SRF-03 public addresses next to every denied range are allowed', () => {
  for (const ip of PUBLIC) assert.equal(isAllowedAddress(ip, nothing), true, ip);
});

test('SRF-03 no IPv6 address outside 2000::/3 is allowed and no mapped address differs from its IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV6(), (ip) => {
      const start = Number.parseInt(new URL(`http://[${ip}]`).hostname.slice(1), 16) || 0;
      const isMapped = /^\[::ffff:[\da-f]+:[\da-f]+\]$/.test(new URL(`http://[${ip}]`).hostname);
      return isMapped || start >> 13 === 1 || !isAllowedAddress(ip, nothing);
    }),
  );
  fc.assert(
    fc.property(fc.ipV4(), (ip) => isAllowedAddress(ip, nothing) === isAllowedAddress(`::ffff:${ip}`, nothing)),
  );
});

test('SRF-04 an allowed network allows its addresses, except guarded ones', () => {
  const text = '10.0.0.0/8, 100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,fc00::/7,fe80::/10,64:ff9b::/96,2002::/16,::/96';
  const special = '192.0.0.0/16,168.0.0.0/8,224.0.0.0/8,255.0.0.0/8,2001::/16,fec0::/10,ff00::/8,::ffff:0:0:0/96';
  const { allow, errors } = parseEgressAllow(`${text},${special}`);
  assert.deepEqual(errors, []);
  for (const ip of ['192.0.2.1', '2001:db8::1', '10.0.0.1', '::ffff:10.1.2.3', '100.64.0.1', 'fd12::1', 'fc00::1']) {
    assert.equal(isAllowedAddress(ip, allow), true, ip);
  }
  const guarded = `127.0.0.1 127.0.0.2 ::1 169.254.169.254 ::ffff:169.254.169.254 100.100.100.200 fd00:ec2::254
    fd20:ce::254
    168.63.129.16 192.0.0.192 255.255.255.255 2001::1 fec0::1 ::ffff:0:127.0.0.1
    fe80::1 64:ff9b::169.254.169.254 2002:a9fe:a9fe::1 ::127.0.0.1 :: 192.168.0.1 172.16.0.1 224.0.0.1 ff02::1`;
  for (const ip of guarded.split(/\s+/)) assert.equal(isAllowedAddress(ip, allow), false, ip);
});

test('SRF-04 a guarded address is allowed only if it is listed individually', () => {
  const { allow, errors } = parseEgressAllow('127.0.0.1/32,::1/128,169.254.169.254/32');
  assert.deepEqual(errors, []);
  for (const ip of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1'])
    assert.ok(isAllowedAddress(ip, allow), ip);
  for (const ip of ['127.0.0.2', '::2', '169.254.169.253', '::127.0.0.1']) assert.ok(!isAllowedAddress(ip, allow), ip);
});

test('SRF-04 an allowed host and port allows nothing else', () => {
  const { allow } = parseEgressAllow('127.0.0.1:8080,[::1]:8081,jira.inner:8443,localhost:3000');
  assert.equal(isAllowedAddress('127.0.0.1', allow, '127.0.0.1:8080'), true);
  assert.equal(isAllowedAddress('::1', allow, '[::1]:8081'), true);
  assert.equal(isAllowedAddress('10.0.0.9', allow, 'jira.inner:8443'), true);
  assert.equal(isAllowedAddress('127.0.0.1', allow, 'localhost:3000'), true);
  assert.equal(isAllowedAddress('::1', allow, 'localhost:3000'), true);
  for (const target of [undefined, '127.0.0.1:8081', '127.0.0.1:80', 'jira.inner:8443', 'other:8080']) {
    assert.equal(isAllowedAddress('127.0.0.1', allow, target), false, target);
  }
  assert.equal(isAllowedAddress('127.0.0.2', allow, '127.0.0.1:8080'), false);
  assert.equal(isAllowedAddress('10.0.0.9', allow, 'localhost:3000'), true);
  assert.equal(isAllowedAddress('169.254.169.254', allow, 'localhost:3000'), false);
});

test('SRF-04 an allowed host that resolves to a guarded address is denied', () => {
  const { allow } = parseEgressAllow('jira.inner:8443,10.0.0.0/8');
  for (const ip of ['127.0.0.1', '::1', '169.254.169.254', 'fd00:ec2::254', 'fe80::1', '::ffff:127.0.0.1', '0.0.0.0']) {
    assert.equal(isAllowedAddress(ip, allow, 'jira.inner:8443'), false, ip);
  }
});

test('SRF-04 every invalid item is reported and allows nothing', () => {
  const bad = `10.0.0.1/8 10.0.0.0/33 0.0.0.0/0 ::/0 8.0.0.0/7 jira jira: :80 jira:0 jira:65536 jira:080 jira:https
    http://jira:80 *.inner:443 *:443 user@jira:80 127.1:80
    0x7f000001:80 2130706433:80 0177.0.0.1:80 ::1:80 [::1] [::g]:80
    jira.:80 jira:80/path 10.0.0.1-10.0.0.9 10.0.0.0/8/8 fe80::1%eth0/128 ::ffff:10.0.0.0/104 jira:80:80`.split(/\s+/);
  const { allow, errors } = parseEgressAllow(bad.join(' , '));
  assert.equal(errors.length, bad.length);
  for (const [index, item] of bad.entries()) assert.ok(errors[index]?.includes(`"${item}"`), item);
  assert.deepEqual([allow.targets.size, allow.networks.length], [0, 0]);
});

test('SRF-04 valid items are normalised', () => {
  const { allow, errors } = parseEgressAllow(
    ' JIRA.Inner:8443 ,, [0:0:0::1]:443,10.1.2.3:80,192.168.0.0/16,a_b.test:65535,',
  );
  assert.deepEqual(errors, []);
  assert.deepEqual([...allow.targets], ['jira.inner:8443', '[::1]:443', '10.1.2.3:80', 'a_b.test:65535']);
  assert.equal(allow.networks.length, 1);
});
