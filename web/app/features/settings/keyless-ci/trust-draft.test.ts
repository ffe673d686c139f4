import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, draftOfPreset, draftOfTrust, PROVIDERS, parseConditions } from './trust-draft.ts';

test('conditions are written as lines of a claim and its values', () => {
  assert.deepEqual(parseConditions('repository = acme/web, acme/*\n\n sub = a=b \nref'), [
    { claim: 'repository', values: ['acme/web', 'acme/*'] },
    { claim: 'sub', values: ['a=b'] },
    { claim: 'ref', values: [] },
  ]);
});

test('a stored trust is edited as the draft that made it', () => {
  for (const provider of Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[]) {
    const draft = draftOfPreset(provider, 'https://parapet.example.com');
    const stored = { ...bodyOf(draft), id: '1', createdAt: '', lastProject: '', lastRefusal: '' };
    assert.deepEqual(bodyOf(draftOfTrust(stored as never)), bodyOf(draft));
  }
});
