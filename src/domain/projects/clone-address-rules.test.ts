import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cloneAddressOf, jsonWithoutUserInformation, withoutUserInformation } from './clone-address-rules.ts';

test('a clone address is stored without credentials, and only with http, https or ssh', () => {
  const cases: [sent: string, stored: string | undefined][] = [
    ['https://git.example.com/acme/web', 'https://git.example.com/acme/web'],
    ['https://git.example.com/acme/web.git', 'https://git.example.com/acme/web.git'],
    ['https://gitlab-ci-token:glcbt-64_x@gitlab.com/acme/web.git', 'https://gitlab.com/acme/web.git'],
    ['http://user@git.example.com:8080/acme/web', 'http://git.example.com:8080/acme/web'],
    ['https://user:p@ss@git.example.com/acme', 'https://git.example.com/acme'],
    ['https://x-access-token:ghs_1@github.com/acme/web?access_token=2#3', 'https://github.com/acme/web'],
    ['git@github.com:acme/web.git', 'ssh://github.com/acme/web.git'],
    ['github.com:acme/web.git', 'ssh://github.com/acme/web.git'],
    ['ssh://git:secret@host:7999/acme/web.git', 'ssh://host:7999/acme/web.git'],
    ['https://host\\@evil.example/x', 'https://host/@evil.example/x'],
    ['https://host', 'https://host'],
    ['javascript:alert(1)', undefined],
    ['javascript://host/%0aalert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['git://host/acme', undefined],
    ['ftp://user:pass@host/x', undefined],
    ['acme/web', undefined],
    ['https://', undefined],
    ['', undefined],
  ];
  for (const [sent, stored] of cases) assert.equal(cloneAddressOf(sent), stored, sent);
});

test('no user and no password is left in a clone address or a reference, however they are written', () => {
  const part = fc.string({ unit: fc.constantFrom('a', ':', '@', '%', '.', '-', '\\', ' ') });
  fc.assert(
    fc.property(part, fc.constantFrom('https', 'HTTP', 'ssh'), (user, scheme) => {
      const text = `${scheme}://${user}:s3cret@git.example.com/acme`;
      assert.equal((cloneAddressOf(text) ?? '').split('/')[2]?.includes('@') ?? false, false);
      if (!/[\s\\]/.test(user)) assert.equal(withoutUserInformation(`see ${text}`).includes('s3cret'), false);
    }),
  );
});

test('user information is removed from all texts of JSON', () => {
  const json = { a: 'x://y', b: ['m@n', 'https://u:"p@host/x', 'https://u:p@host/"x"'], c: { '://': '@' }, d: 1 };
  assert.deepEqual(jsonWithoutUserInformation(json), { ...json, b: ['m@n', json.b[1], 'https://host/"x"'] });
});

test('user information is removed from every URL of a text, and nothing else changes', () => {
  assert.equal(
    withoutUserInformation('https://a:b@host/x, mail me@example.com or ftp://c@host/@scope/y'),
    'https://host/x, mail me@example.com or ftp://host/@scope/y',
  );
  assert.equal(
    withoutUserInformation('https://npmjs.com/package/@scope/name'),
    'https://npmjs.com/package/@scope/name',
  );
});
