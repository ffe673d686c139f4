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

test('a key that continues a sequence does not match a single-key shortcut', () => {
  assert.deepEqual(readAll('g', 'o', 'o'), [undefined, 'goOverview', 'openPage']);
  assert.deepEqual(readAll('i', 'c', 'c'), [undefined, 'ignoreWithComment', 'comment']);
});

test('a completed sequence resets all partial matches', () => {
  assert.deepEqual(readAll('g', 'i', 'c'), [undefined, 'goInbox', 'comment']);
});

test('a key that does not continue a sequence matches as usual', () => {
  assert.deepEqual(readAll('g', 'j', 'o'), [undefined, 'next', 'openPage']);
});

test('a sequence times out, and modifier keys do not interrupt it', () => {
  const reader = new ShortcutMatcher();
  reader.match(press('g', 0), NAMES);
  assert.equal(reader.match(press('o', 5000), NAMES), 'openPage');
  reader.match(press('g', 6000), NAMES);
  reader.match(press('Shift', 6100, 'Shift'), NAMES);
  assert.equal(reader.match(press('o', 6200), NAMES), 'goOverview');
});

test('keys with and without a modifier are distinguished', () => {
  const reader = new ShortcutMatcher();
  assert.equal(reader.match(press('k', 0), NAMES), undefined);
  assert.equal(reader.match(press('k', 1, 'Control'), NAMES), 'palette');
  assert.equal(reader.match(press('o', 2, 'Control'), NAMES), undefined);
});
