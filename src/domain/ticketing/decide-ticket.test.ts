import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideTicket } from './decide-ticket.ts';

const facts = { open: 1, remote: 'open', isFixedTold: false, isClosedTold: false } as const;

test('an open ticket of open findings needs nothing', () => {
  assert.equal(decideTicket(facts), 'nothing');
});

test('a ticket is closed once when all of its findings are fixed', () => {
  assert.equal(decideTicket({ ...facts, open: 0 }), 'close');
  assert.equal(decideTicket({ ...facts, open: 0, isFixedTold: true }), 'nothing');
  assert.equal(decideTicket({ ...facts, open: 0, remote: 'closed' }), 'settle');
});

test('a closed ticket of open findings is opened again only if the findings were fixed in between', () => {
  assert.equal(decideTicket({ ...facts, remote: 'closed', isFixedTold: true }), 'reopen');
  assert.equal(decideTicket({ ...facts, remote: 'closed' }), 'tell_closed');
  assert.equal(decideTicket({ ...facts, remote: 'closed', isClosedTold: true }), 'nothing');
});

test('what was told is forgotten when it is not so any more', () => {
  assert.equal(decideTicket({ ...facts, isClosedTold: true }), 'forget');
  assert.equal(decideTicket({ ...facts, isFixedTold: true }), 'forget');
});
