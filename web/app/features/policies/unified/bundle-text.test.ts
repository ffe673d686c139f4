import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundleOf, differingLines, textsOf } from './bundle-text.ts';

const bundle = {
  ...{ deployment_slug: 'acme', product: 'code', rulesets: ['p/default'], rules: ['a.b'], disabled: [] },
  exceptions: [
    { exception_type: 'exclude', rule_type: 'rule', rule: 'a.b', project: 'acme/web shop' },
    { exception_type: 'include', rule_type: 'pack', rule: 'p/secrets', project_tag_name: 'pci' },
  ],
};

test('a detection policy passes through its texts unchanged', () => {
  const { deployment_slug: _, product: __, ...content } = bundle;
  assert.deepEqual(bundleOf(textsOf(bundle)).bundle, content);
});

test('a line that is no exception is named', () => {
  assert.equal(bundleOf({ ...textsOf(bundle), exceptions: 'forbid everything' }).wrongLine, 'forbid everything');
});

test('the lines that a change removes and adds name their member, without those that stay', () => {
  const before = { rules: ['a', 'b'], filters: { mode: 'all' } };
  assert.deepEqual(differingLines(before, { rules: ['b', 'c'], filters: { mode: 'any' } }), {
    removed: ['rules: a', 'filters.mode: all'],
    added: ['rules: c', 'filters.mode: any'],
  });
  assert.deepEqual(differingLines(undefined, { rules: ['a'] }), { removed: [], added: ['rules: a'] });
});
