import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RULE_MODES, RULEBOARD_ITEM_KINDS, type RuleMode } from '#domain/policies/shape.ts';
import { annotateForScan, effectiveModes, type RuleModeEntry, ruleProductOf, strictestModes } from './rules.ts';
import type { LibraryRule } from './shape.ts';

const RULESETS: Record<string, string[]> = { small: ['a', 'b'], large: ['a', 'b', 'c', 'd'], empty: [] };
const idsOf = (name: string) => RULESETS[name] ?? [];
const strictness = (mode: RuleMode) => ['disabled', 'monitor', 'comment', 'block'].indexOf(mode);

const mode = fc.constantFrom(...RULE_MODES);
const ruleItem = fc.record({
  kind: fc.constant(RULEBOARD_ITEM_KINDS[0]),
  path: fc.constantFrom('a', 'b', 'r/c', 'z'),
  mode,
});
const rulesetItem = fc.record({
  kind: fc.constant(RULEBOARD_ITEM_KINDS[1]),
  path: fc.constantFrom('p/small', 'large', 'p/empty', 'p/unknown'),
  mode,
});
/** A board has each path of a kind once. */
const boardOf = (item: fc.Arbitrary<RuleModeEntry>) =>
  fc.uniqueArray(item, { selector: ({ kind, path }) => `${kind} ${path}`, maxLength: 8 });
const board = boardOf(fc.oneof(ruleItem, rulesetItem));

test("a rule's own mode wins over every ruleset", () => {
  fc.assert(
    fc.property(board, (items) => {
      const modes = effectiveModes(items, idsOf);
      for (const { kind, path, mode: own } of items)
        if (kind === 'rule') assert.equal(modes.get(path.replace('r/', '')), own);
    }),
  );
});

test('of several rulesets with the same rule the strictest mode wins', () => {
  fc.assert(
    fc.property(boardOf(rulesetItem), (items) => {
      for (const [id, chosen] of effectiveModes(items, idsOf)) {
        const naming = items.filter(({ path }) => idsOf(path.replace('p/', '')).includes(id));
        assert.equal(strictness(chosen), Math.max(...naming.map((item) => strictness(item.mode))));
      }
    }),
  );
});

test('the order of the items does not matter', () => {
  const shuffled = board.chain((items) =>
    fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })),
  );
  fc.assert(
    fc.property(shuffled, ([items, other]) => {
      const sorted = (placed: RuleModeEntry[]) => [...effectiveModes(placed, idsOf)].sort();
      assert.deepEqual(sorted(items), sorted(other));
    }),
  );
});

test('exactly the rules of the items have a mode, and another ruleset never makes a rule less strict', () => {
  fc.assert(
    fc.property(board, rulesetItem, (items, more) => {
      const named = items.flatMap(({ kind, path }) =>
        kind === 'rule' ? [path.replace('r/', '')] : idsOf(path.replace('p/', '')),
      );
      const before = effectiveModes(items, idsOf);
      assert.deepEqual(new Set(before.keys()), new Set(named));
      const after = effectiveModes([...items, more], idsOf);
      for (const [id, was] of before) assert.ok(strictness(after.get(id) ?? 'disabled') >= strictness(was));
    }),
  );
});

test('boards add up: every rule of a board has a mode, the strictest of all boards', () => {
  fc.assert(
    fc.property(fc.array(board, { maxLength: 4 }), (all) => {
      const boards = all.map((items, index) => ({ board: index, modes: effectiveModes(items, idsOf) }));
      const combined = strictestModes(boards);
      assert.deepEqual(new Set(combined.keys()), new Set(boards.flatMap(({ modes }) => [...modes.keys()])));
      for (const [id, { mode: chosen, board: from }] of combined) {
        const given = boards.map(({ modes }) => modes.get(id));
        assert.equal(given[from], chosen);
        const strictest = Math.max(...given.map((one) => (one === undefined ? -1 : strictness(one))));
        assert.equal(strictness(chosen), strictest);
      }
    }),
  );
});

const known = (metadata: Record<string, unknown>): LibraryRule => ({
  rule: { id: 'own.rule', message: 'm', severity: 'ERROR', languages: ['go'], pattern: 'x', metadata },
  source: 'published',
  ruleId: '7',
  versionId: '7-2',
});
const place = { board: { id: '3', product: 'sast' as const }, baseUrl: 'https://parapet.example' };

test('a rule always has an actions list, because scanners treat a missing one as blocking', () => {
  const actions = (of: RuleMode) =>
    annotateForScan(known({}), { ...place, mode: of }).metadata?.['dev.semgrep.actions'];
  assert.deepEqual([actions('monitor'), actions('comment'), actions('block')], [[], ['comment'], ['block']]);
});

test('rule authors cannot set reserved metadata', () => {
  const forged = {
    'dev.semgrep.actions': ['block'],
    'dev.semgrep.validation_state.actions': { valid: 'block' },
    'semgrep.policy': { slug: 'other' },
    category: 'security',
  };
  const { metadata } = annotateForScan(known(forged), { ...place, mode: 'monitor' });
  assert.deepEqual(metadata, {
    category: 'security',
    source: 'https://parapet.example/r/own.rule',
    shortlink: 'https://parapet.example/r/own.rule',
    'dev.semgrep.actions': [],
    'semgrep.policy': { id: 3, name: 'Rule Board - Audit column', slug: 'rule-board-audit' },
    'semgrep.dev.rule': {
      rule_id: '7',
      version_id: '7-2',
      rule_name: 'own.rule',
      url: 'https://parapet.example/r/own.rule',
      shortlink: 'https://parapet.example/r/own.rule',
      origin: 'custom',
    },
    'semgrep.url': 'https://parapet.example/r/own.rule',
  });
});

test('the product of a rule is the one that scanners determine', () => {
  const { rule } = known({ product: 'secrets' });
  assert.equal(ruleProductOf(rule), 'secrets');
  assert.equal(ruleProductOf({ ...rule, 'r2c-internal-project-depends-on': {} }), 'sca');
  assert.equal(ruleProductOf({ ...rule, metadata: {} }), 'sast');
});
