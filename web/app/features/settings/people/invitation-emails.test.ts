import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddresses, parseInviteReply, summarizeInvites } from './invitation-emails.ts';

test('addresses are extracted from pasted text without duplicates', () => {
  const text = 'ada@example.com, Grace Hopper <grace@example.com>;\nADA@example.com\n"Alan" <alan@example.com>';
  assert.deepEqual(parseAddresses(text), {
    good: ['ada@example.com', 'grace@example.com', 'alan@example.com'],
    bad: [],
  });
});

test('invalid addresses are reported', () => {
  assert.deepEqual(parseAddresses('ada@example\nnobody here\nada@example.com'), {
    good: ['ada@example.com'],
    bad: ['ada@example', 'nobody here'],
  });
  assert.deepEqual(parseAddresses(' \n '), { good: [], bad: [] });
});

test('links and sentences of the reply are separated', () => {
  const message =
    '1 person invited.\nThis server sends no mail: hand over.\nada@example.com: https://host/invitation#t=x';
  assert.deepEqual(parseInviteReply(message), {
    sentences: ['1 person invited.', 'This server sends no mail: hand over.'],
    links: [{ email: 'ada@example.com', link: 'https://host/invitation#t=x' }],
  });
});

test('several replies are merged', () => {
  const results = ['20 people invited.\nThis server sends no mail.', '1 person invited.\nThis server sends no mail.'];
  assert.deepEqual(summarizeInvites(results.map(parseInviteReply)), [
    '21 people invited.',
    'This server sends no mail.',
  ]);
});
