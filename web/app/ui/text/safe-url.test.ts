import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeUrl } from './safe-url.ts';

test('WEB-01: only http, https and mailto URLs become links', () => {
  assert.equal(safeUrl('https://example.com/a?b=c'), 'https://example.com/a?b=c');
  assert.equal(safeUrl('http://example.com'), 'http://example.com/');
  assert.equal(safeUrl('mailto:ada@example.com'), 'mailto:ada@example.com');
  for (const hostile of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//example.com',
    '/relative',
    '',
    undefined,
  ])
    assert.equal(safeUrl(hostile), undefined);
});
