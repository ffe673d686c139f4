import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenSnippets } from './token-snippets.ts';

const place = { origin: 'https://parapet.example', slug: 'acme', secret: 'pap_secret' };
const idsFor = (role: string, webApi: boolean) => tokenSnippets(place, { role, webApi }).map(({ id }) => id);

test('a token is offered only commands that it can run', () => {
  assert.deepEqual(idsFor('TOKEN_ROLE_READ_ONLY', true), ['try', 'findings']);
  assert.deepEqual(idsFor('TOKEN_ROLE_AGENT_CLI', false), ['try', 'upload', 'github', 'gitlab', 'semgrep']);
  assert.deepEqual(idsFor('TOKEN_ROLE_WEBAPI', true), ['try', 'findings', 'upload', 'github', 'gitlab', 'semgrep']);
});

test('files that go into a repository never hold the secret', () => {
  for (const { id, text } of tokenSnippets(place, { role: 'TOKEN_ROLE_WEBAPI', webApi: true }))
    assert.equal(text.includes(place.secret), !['github', 'gitlab'].includes(id), id);
});
