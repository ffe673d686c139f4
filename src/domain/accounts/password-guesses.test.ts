import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './password-guesses.ts';

test('an IPv4 address is its own network, and an IPv6 network has 64 bits', () => {
  const cases = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '::ffff:192.0.2.1',
    '::1': '0:0:0:0',
    '2001:db8::1': '2001:db8:0:0',
    '2001:db8:0:0:1::': '2001:db8:0:0',
    '2001:DB8:00a1:2:3:4:5:6': '2001:db8:a1:2',
    'fe80::1%eth0': 'fe80:0:0:0',
    '': '',
  };
  for (const [address, network] of Object.entries(cases)) assert.equal(networkOf(address), network, address);
});
