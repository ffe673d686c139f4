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

test('the request body has only the changed members, nested as in the API', () => {
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

test('concurrent changes are listed by setting', () => {
  const after = { ...settings, ai: { enabled: true, allowed_providers: ['one'] } };
  assert.deepEqual(changedSettings(settings, after, ['ai.enabled', 'ai.allowed_providers', 'approversTag']), [
    { path: 'ai.enabled', before: false, after: true },
  ]);
});

test('values are formatted for display', () => {
  assert.deepEqual([true, [], ['a', 'b'], '', 3, undefined].map(formatValue), [
    'on',
    'none',
    'a, b',
    'none',
    '3',
    'none',
  ]);
});

test('settings depend only on existing settings', () => {
  const paths = new Set(PRODUCT_SETTINGS.map(({ path }) => path));
  for (const { path, requires } of PRODUCT_SETTINGS)
    for (const one of requires) assert.ok(paths.has(one) && one !== path, `${path} requires ${one}`);
  assert.equal(valueAt(settings, 'sast.nothing.here'), undefined);
});
