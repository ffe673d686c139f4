import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersStrictHandling } from './prefer.ts';

test('the preference for strict handling is found among others, in any case and quoted', () => {
  for (const header of [
    'handling=strict',
    'respond-async, Handling = "strict"',
    'HANDLING=STRICT;reason=test, wait=10',
  ])
    assert.equal(prefersStrictHandling(header), true, header);
  for (const header of [undefined, '', 'handling=lenient', 'handling=stricter', 'return=minimal; handling=strict'])
    assert.equal(prefersStrictHandling(header), false, String(header));
});
