import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type BoardRule,
  boardLines,
  columnSlug,
  countByMode,
  filterLines,
  itemKey,
  NO_STAGED_CHANGES,
  RULE_MODES,
  type RuleboardChange,
  rulesFromEntries,
  stageChange,
  updateChanges,
} from './board-changes.ts';

const rows: BoardRule[] = [
  { id: 'a.sql', type: 'rule', mode: 'monitor' },
  { id: 'p/default', type: 'ruleset', mode: 'block' },
];

test('the columns of both products map to their mode', () => {
  for (const product of ['sast', 'secrets'] as const)
    for (const mode of RULE_MODES)
      assert.equal(
        rulesFromEntries([{ policy: columnSlug(product, mode), item: { id: 'x', type: 'rule' } }])[0]?.mode,
        mode,
      );
});

test('staged changes become additions, updates and removals', () => {
  let staged = stageChange(NO_STAGED_CHANGES, rows, { item: { id: 'a.sql', type: 'rule' }, mode: 'comment' });
  staged = stageChange(staged, rows, { item: { id: 'p/default', type: 'ruleset' }, mode: undefined });
  staged = stageChange(staged, rows, { item: { id: 'b.xss', type: 'rule' }, mode: 'block' });
  assert.deepEqual(updateChanges(boardLines(rows, staged), 'sast'), [
    { item: { id: 'b.xss', type: 'rule' }, policy: 'rule-board-block', update_type: 'add' },
    { item: { id: 'a.sql', type: 'rule' }, policy: 'rule-board-pr-comments', update_type: 'update' },
    { item: { id: 'p/default', type: 'ruleset' }, update_type: 'remove' },
  ]);
});

test('moving an item back is not a change', () => {
  const item = { id: 'a.sql', type: 'rule' };
  const moved = stageChange(NO_STAGED_CHANGES, rows, { item, mode: 'block' });
  assert.equal(stageChange(moved, rows, { item, mode: 'monitor' }).size, 0);
  const added = stageChange(NO_STAGED_CHANGES, rows, { item: { id: 'new', type: 'rule' }, mode: 'block' });
  assert.equal(stageChange(added, rows, { item: { id: 'new', type: 'rule' }, mode: undefined }).size, 0);
});

test('applying the changes gives the staged board', () => {
  const item = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), type: fc.constant('rule') });
  const mode = fc.constantFrom(...RULE_MODES, undefined);
  const boards = fc.uniqueArray(fc.record({ id: item.map(({ id }) => id), type: fc.constant('rule') }), {
    selector: itemKey,
  });
  fc.assert(
    fc.property(boards, fc.array(fc.record({ item, mode }), { maxLength: 20 }), (items, edits) => {
      const board = items.map((one): BoardRule => ({ ...one, mode: 'monitor' }));
      const staged = edits.reduce((before, edit) => stageChange(before, board, edit), NO_STAGED_CHANGES);
      const lines = boardLines(board, staged);
      const after = new Map(board.map((row) => [itemKey(row), columnSlug('sast', row.mode)]));
      for (const change of updateChanges(lines, 'sast')) applyTo(after, change);
      const shown = new Map(
        lines.flatMap((line) => (line.after ? [[itemKey(line), columnSlug('sast', line.after)]] : [])),
      );
      assert.deepEqual([...after].sort(), [...shown].sort());
    }),
  );
});

function applyTo(board: Map<string, string>, { item, policy, update_type }: RuleboardChange): void {
  if (update_type === 'update') assert.ok(board.has(itemKey(item)));
  if (update_type === 'remove') board.delete(itemKey(item));
  else board.set(itemKey(item), policy ?? '');
}

test('the filter matches words in paths and columns', () => {
  const lines = boardLines(rows, NO_STAGED_CHANGES);
  assert.deepEqual(
    filterLines(lines, 'SQL in:monitor').map(({ id }) => id),
    ['a.sql'],
  );
  assert.equal(filterLines(lines, '').length, 2);
  assert.deepEqual(countByMode(rows), { monitor: 1, comment: 0, block: 1, disabled: 0 });
});
