import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionedAddresses } from './rules.ts';

test('a mention is an address after an at sign, at the start of a word', () => {
  assert.deepEqual(mentionedAddresses('@Ada@Example.com, (@b.c@mail.example.org) **@d@e.fr**'), [
    'ada@example.com',
    'b.c@mail.example.org',
    'd@e.fr',
  ]);
  assert.deepEqual(mentionedAddresses('write to ada@example.com or x@@ada@example.com'), []);
  assert.deepEqual(mentionedAddresses('@ada@example.com @ADA@example.com.'), ['ada@example.com']);
});

test('many mentions are limited, and hostile text takes no time', () => {
  const many = Array.from({ length: 50 }, (_, n) => `@a${n}@example.com`).join(' ');
  assert.equal(mentionedAddresses(many).length, 20);
  const start = performance.now();
  mentionedAddresses(`@${'a.'.repeat(5000)}`);
  mentionedAddresses(`@a@${'b.'.repeat(5000)}`);
  mentionedAddresses(' @'.repeat(5000));
  assert.ok(performance.now() - start < 2000);
});
