import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Change,
  changesOf,
  columnOf,
  countsOf,
  keyOf,
  linesOf,
  MODES,
  matching,
  NOTHING_STAGED,
  type Row,
  rowsOf,
  stage,
} from './staged.ts';

const rows: Row[] = [
  { id: 'a.sql', type: 'rule', mode: 'monitor' },
  { id: 'p/default', type: 'ruleset', mode: 'block' },
];

test('a column of either kind of board is read as its mode', () => {
  for (const product of ['sast', 'secrets'] as const)
    for (const mode of MODES)
      assert.equal(rowsOf([{ policy: columnOf(product, mode), item: { id: 'x', type: 'rule' } }])[0]?.mode, mode);
});

test('changes become one list of additions, moves and removals', () => {
  let staged = stage(NOTHING_STAGED, rows, { item: { id: 'a.sql', type: 'rule' }, mode: 'comment' });
  staged = stage(staged, rows, { item: { id: 'p/default', type: 'ruleset' }, mode: undefined });
  staged = stage(staged, rows, { item: { id: 'b.xss', type: 'rule' }, mode: 'block' });
  assert.deepEqual(changesOf(linesOf(rows, staged), 'sast'), [
    { item: { id: 'b.xss', type: 'rule' }, policy: 'rule-board-block', update_type: 'add' },
    { item: { id: 'a.sql', type: 'rule' }, policy: 'rule-board-pr-comments', update_type: 'update' },
    { item: { id: 'p/default', type: 'ruleset' }, update_type: 'remove' },
  ]);
});

test('what is put back where it was is no change', () => {
  const item = { id: 'a.sql', type: 'rule' };
  const moved = stage(NOTHING_STAGED, rows, { item, mode: 'block' });
  assert.equal(stage(moved, rows, { item, mode: 'monitor' }).size, 0);
  const added = stage(NOTHING_STAGED, rows, { item: { id: 'new', type: 'rule' }, mode: 'block' });
  assert.equal(stage(added, rows, { item: { id: 'new', type: 'rule' }, mode: undefined }).size, 0);
});

test('the changes make the board what the table shows, whatever was staged', () => {
  const item = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), type: fc.constant('rule') });
  const mode = fc.constantFrom(...MODES, undefined);
  const boards = fc.uniqueArray(fc.record({ id: item.map(({ id }) => id), type: fc.constant('rule') }), {
    selector: keyOf,
  });
  fc.assert(
    fc.property(boards, fc.array(fc.record({ item, mode }), { maxLength: 20 }), (items, edits) => {
      const board = items.map((one): Row => ({ ...one, mode: 'monitor' }));
      const staged = edits.reduce((before, edit) => stage(before, board, edit), NOTHING_STAGED);
      const lines = linesOf(board, staged);
      const after = new Map(board.map((row) => [keyOf(row), columnOf('sast', row.mode)]));
      for (const change of changesOf(lines, 'sast')) applyTo(after, change);
      const shown = new Map(lines.flatMap((line) => (line.after ? [[keyOf(line), columnOf('sast', line.after)]] : [])));
      assert.deepEqual([...after].sort(), [...shown].sort());
    }),
  );
});

function applyTo(board: Map<string, string>, { item, policy, update_type }: Change): void {
  if (update_type === 'update') assert.ok(board.has(keyOf(item)));
  if (update_type === 'remove') board.delete(keyOf(item));
  else board.set(keyOf(item), policy ?? '');
}

test('the filter looks for words in paths and columns', () => {
  const lines = linesOf(rows, NOTHING_STAGED);
  assert.deepEqual(
    matching(lines, 'SQL in:monitor').map(({ id }) => id),
    ['a.sql'],
  );
  assert.equal(matching(lines, '').length, 2);
  assert.deepEqual(countsOf(rows), { monitor: 1, comment: 0, block: 1, disabled: 0 });
});
