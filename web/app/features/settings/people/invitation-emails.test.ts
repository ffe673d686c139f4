import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteBatches, parseAddresses, parseInviteReply, summarizeInvites } from './invitation-emails.ts';

test('addresses are found in whatever people paste, each once', () => {
  const text = 'ada@example.com, Grace Hopper <grace@example.com>;\nADA@example.com\n"Alan" <alan@example.com>';
  assert.deepEqual(parseAddresses(text), {
    good: ['ada@example.com', 'grace@example.com', 'alan@example.com'],
    bad: [],
  });
});

test('what is no address is told instead of being dropped', () => {
  assert.deepEqual(parseAddresses('ada@example\nnobody here\nada@example.com'), {
    good: ['ada@example.com'],
    bad: ['ada@example', 'nobody here'],
  });
  assert.deepEqual(parseAddresses(' \n '), { good: [], bad: [] });
});

test('no request carries more addresses than the server takes', () => {
  const many = Array.from({ length: 45 }, (_, index) => `p${index}@example.com`);
  assert.deepEqual(
    inviteBatches(many).map((portion) => portion.length),
    [20, 20, 5],
  );
  assert.deepEqual(inviteBatches([]), []);
});

test('links are told apart from sentences in the answer', () => {
  const message =
    '1 person invited.\nThis server sends no mail: hand over.\nada@example.com: https://host/invitation#t=x';
  assert.deepEqual(parseInviteReply(message), {
    sentences: ['1 person invited.', 'This server sends no mail: hand over.'],
    links: [{ email: 'ada@example.com', link: 'https://host/invitation#t=x' }],
  });
});

test('several answers are told as one', () => {
  const results = ['20 people invited.\nThis server sends no mail.', '1 person invited.\nThis server sends no mail.'];
  assert.deepEqual(summarizeInvites(results.map(parseInviteReply)), [
    '21 people invited.',
    'This server sends no mail.',
  ]);
});
