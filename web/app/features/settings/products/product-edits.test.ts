import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changedSettings,
  effectiveEdits,
  formatValue,
  type ProductEdits,
  productConfigBody,
  valueAt,
} from './product-edits.ts';
import { PRODUCT_SETTINGS } from './product-settings.ts';

const settings = {
  ai: { enabled: false, allowed_providers: ['one'] },
  sast: { enabled: true, ai_autofix: { enabled: false, min_confidence: 0 } },
  approversTag: '',
};

test('a save sends only the members that change, nested as the API has them', () => {
  const edits: ProductEdits = new Map<string, boolean | number | string[]>([
    ['sast.ai_autofix.enabled', true],
    ['sast.ai_autofix.min_confidence', 0],
    ['ai.allowed_providers', ['one', 'two']],
    ['ai.enabled', false],
  ]);
  assert.deepEqual(productConfigBody(settings, edits), {
    sast: { ai_autofix: { enabled: true } },
    ai: { allowed_providers: ['one', 'two'] },
  });
  assert.equal(effectiveEdits(settings, edits).size, 2);
});

test('what somebody else changed is told member by member', () => {
  const after = { ...settings, ai: { enabled: true, allowed_providers: ['one'] } };
  assert.deepEqual(changedSettings(settings, after, ['ai.enabled', 'ai.allowed_providers', 'approversTag']), [
    { path: 'ai.enabled', before: false, after: true },
  ]);
});

test('values are told in words', () => {
  assert.deepEqual([true, [], ['a', 'b'], '', 3, undefined].map(formatValue), [
    'on',
    'none',
    'a, b',
    'none',
    '3',
    'none',
  ]);
});

test('a field depends only on switches that are there', () => {
  const paths = new Set(PRODUCT_SETTINGS.map(({ path }) => path));
  for (const { path, needs } of PRODUCT_SETTINGS)
    for (const one of needs) assert.ok(paths.has(one) && one !== path, `${path} needs ${one}`);
  assert.equal(valueAt(settings, 'sast.nothing.here'), undefined);
});
