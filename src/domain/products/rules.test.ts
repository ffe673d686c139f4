import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_PRODUCT_SETTINGS, mergeProductSettings, triagePermissionOf } from './rules.ts';
import type { ProductChange } from './shape.ts';

const flag = fc.boolean();
const some = <Shape>(shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
  fc.record(shape, { requiredKeys: [] });
const policy = fc.constantFrom('monitor', 'comment', 'block');

const change = some({
  ai: some({ enabled: flag, send_patch_emails: flag, allowed_providers: fc.array(fc.string(), { maxLength: 3 }) }),
  sast: some({
    enabled: flag,
    ai_autofix: some({ enabled: flag, min_confidence: fc.integer({ min: 0, max: 100 }) }),
    ai_detection: some({ enabled: flag }),
  }),
  sca: some({ enabled: flag, blockPrEnabled: flag, malwareFirewallEnabled: flag }),
  secrets: some({ enabled: flag, global_validation_state_policy: some({ error: policy, invalid: policy }) }),
  approversTag: fc.string(),
  hasDeveloperTriage: flag,
}) as fc.Arbitrary<ProductChange>;

/** Every leaf with its path; a list is a leaf. */
function leaves(value: unknown, at = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[at, value]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${at}/${name}`));
}

test('a change sets its own members and leaves all others unchanged', () => {
  fc.assert(
    fc.property(change, change, (first, second) => {
      const before = mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, first);
      const wanted = new Map([...leaves(before), ...leaves(second)].filter(([path]) => isLeafOfSettings(path)));
      assert.deepEqual(new Map(leaves(mergeProductSettings(before, second))), wanted);
    }),
  );
});

const paths = new Set(leaves(DEFAULT_PRODUCT_SETTINGS).map(([path]) => path));
/** An empty object has no leaf. */
const isLeafOfSettings = (path: string) => paths.has(path);

test('two changes in sequence are the same as their merge', () => {
  fc.assert(
    fc.property(change, change, (first, second) => {
      assert.deepEqual(
        mergeProductSettings(mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, first), second),
        mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, mergeProductSettings(first, second)),
      );
    }),
  );
});

test('applying a change twice is the same as once, and an empty change has no effect', () => {
  fc.assert(
    fc.property(change, (one) => {
      const once = mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, one);
      assert.deepEqual(mergeProductSettings(once, one), once);
      assert.deepEqual(mergeProductSettings(once, {}), once);
    }),
  );
});

test('a change does not mutate its base', () => {
  const before = structuredClone(DEFAULT_PRODUCT_SETTINGS);
  fc.assert(
    fc.property(change, (one) => {
      mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, one);
      assert.deepEqual(DEFAULT_PRODUCT_SETTINGS, before);
    }),
  );
});

test('by default there are no comments, no blocking and no sharing of code', () => {
  assert.equal(DEFAULT_PRODUCT_SETTINGS.ai.enabled || DEFAULT_PRODUCT_SETTINGS.ai.send_patch_emails, false);
  assert.equal(DEFAULT_PRODUCT_SETTINGS.sca.blockPrEnabled || DEFAULT_PRODUCT_SETTINGS.sca.prCommentsEnabled, false);
  assert.equal(DEFAULT_PRODUCT_SETTINGS.sast.enabled && DEFAULT_PRODUCT_SETTINGS.sca.enabled, true);
});

test('triage: administrators ignore, members request if developer triage is on, readers do neither', () => {
  const administrator = new Set(['issue:triage', 'product:manage']);
  const member = new Set(['issue:triage']);
  const reader = new Set(['issue:read']);
  for (const hasDeveloperTriage of [true, false]) {
    assert.equal(triagePermissionOf(administrator, { hasDeveloperTriage }), 'TRIAGE_PERMISSION_IGNORE');
    assert.equal(triagePermissionOf(reader, { hasDeveloperTriage }), 'TRIAGE_PERMISSION_NONE');
  }
  assert.equal(triagePermissionOf(member, { hasDeveloperTriage: true }), 'TRIAGE_PERMISSION_REQUEST');
  assert.equal(triagePermissionOf(member, { hasDeveloperTriage: false }), 'TRIAGE_PERMISSION_IGNORE');
});
