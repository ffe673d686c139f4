import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyPress, ShortcutMatcher } from './shortcut-matcher.ts';
import type { ShortcutName } from './shortcuts.ts';

const NAMES: ShortcutName[] = ['openPage', 'comment', 'next', 'palette', 'goOverview', 'goInbox', 'ignoreWithComment'];

const press = (key: string, timeStamp: number, ...modifiers: string[]): KeyPress => ({
  key,
  code: `Key${key.toUpperCase()}`,
  timeStamp,
  getModifierState: (name) => modifiers.includes(name),
});

const readAll = (...keys: string[]) => {
  const reader = new ShortcutMatcher();
  return keys.map((key, index) => reader.match(press(key, index * 100), NAMES));
};

test('a key that goes on with a sequence is not taken for a single key', () => {
  assert.deepEqual(readAll('g', 'o', 'o'), [undefined, 'goOverview', 'openPage']);
  assert.deepEqual(readAll('i', 'c', 'c'), [undefined, 'ignoreWithComment', 'comment']);
});

test('a sequence that is complete leaves no other one begun', () => {
  assert.deepEqual(readAll('g', 'i', 'c'), [undefined, 'goInbox', 'comment']);
});

test('a key that does not go on with a sequence means what it always means', () => {
  assert.deepEqual(readAll('g', 'j', 'o'), [undefined, 'next', 'openPage']);
});

test('a sequence ends by itself after a while, and modifiers alone do not end it', () => {
  const reader = new ShortcutMatcher();
  reader.match(press('g', 0), NAMES);
  assert.equal(reader.match(press('o', 5000), NAMES), 'openPage');
  reader.match(press('g', 6000), NAMES);
  reader.match(press('Shift', 6100, 'Shift'), NAMES);
  assert.equal(reader.match(press('o', 6200), NAMES), 'goOverview');
});

test('keys with a modifier are told from those without', () => {
  const reader = new ShortcutMatcher();
  assert.equal(reader.match(press('k', 0), NAMES), undefined);
  assert.equal(reader.match(press('k', 1, 'Control'), NAMES), 'palette');
  assert.equal(reader.match(press('o', 2, 'Control'), NAMES), undefined);
});
