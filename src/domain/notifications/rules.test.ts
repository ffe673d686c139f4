import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { classifyLink } from './rules.ts';

test('a link is a path on this server or a web URL (WEB-01)', () => {
  assert.equal(classifyLink(''), 'none');
  assert.equal(classifyLink('/projects/7?tab=findings#top'), 'internal');
  assert.equal(classifyLink('https://example.com/a'), 'external');
  for (const link of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'https://', 'x'])
    assert.equal(classifyLink(link), 'refused', link);
});

test('no accepted link has another scheme or, as a path, leads to another host (WEB-01)', () => {
  const base = 'http://parapet.invalid';
  const text = fc.oneof(
    fc.webUrl(),
    fc.string({ unit: 'binary' }),
    fc.string().map((rest) => `/${rest}`),
  );
  fc.assert(
    fc.property(text, (link) => {
      const kind = classifyLink(link);
      if (kind === 'internal') assert.equal(new URL(link, base).origin, base);
      if (kind === 'external') assert.match(new URL(link).protocol, /^https?:$/);
    }),
  );
});
