import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyReader, type Press } from './key-reader.ts';
import type { KeyName } from './table.ts';

const NAMES: KeyName[] = ['openPage', 'comment', 'next', 'palette', 'goOverview', 'goInbox', 'ignoreWithComment'];

const press = (key: string, timeStamp: number, ...modifiers: string[]): Press => ({
  key,
  code: `Key${key.toUpperCase()}`,
  timeStamp,
  getModifierState: (name) => modifiers.includes(name),
});

const readAll = (...keys: string[]) => {
  const reader = new KeyReader();
  return keys.map((key, index) => reader.read(press(key, index * 100), NAMES));
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
  const reader = new KeyReader();
  reader.read(press('g', 0), NAMES);
  assert.equal(reader.read(press('o', 5000), NAMES), 'openPage');
  reader.read(press('g', 6000), NAMES);
  reader.read(press('Shift', 6100, 'Shift'), NAMES);
  assert.equal(reader.read(press('o', 6200), NAMES), 'goOverview');
});

test('keys with a modifier are told from those without', () => {
  const reader = new KeyReader();
  assert.equal(reader.read(press('k', 0), NAMES), undefined);
  assert.equal(reader.read(press('k', 1, 'Control'), NAMES), 'palette');
  assert.equal(reader.read(press('o', 2, 'Control'), NAMES), undefined);
});
