import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenSnippets } from './token-snippets.ts';

const context = { origin: 'https://parapet.example', slug: 'acme', secret: 'pap_secret' };
const idsFor = (role: string, webApi: boolean) => tokenSnippets(context, { role, webApi }).map(({ id }) => id);

test('only commands that the token may run are offered', () => {
  assert.deepEqual(idsFor('TOKEN_ROLE_READ_ONLY', true), ['try', 'findings']);
  assert.deepEqual(idsFor('TOKEN_ROLE_AGENT_CLI', false), ['try', 'upload', 'github', 'gitlab', 'semgrep']);
  assert.deepEqual(idsFor('TOKEN_ROLE_WEBAPI', true), ['try', 'findings', 'upload', 'github', 'gitlab', 'semgrep']);
});

test('CI files never contain the secret', () => {
  for (const { id, text } of tokenSnippets(context, { role: 'TOKEN_ROLE_WEBAPI', webApi: true }))
    assert.equal(text.includes(context.secret), !['github', 'gitlab'].includes(id), id);
});
