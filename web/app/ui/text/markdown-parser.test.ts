import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInline, parseMarkdown } from './markdown-parser.ts';

test('paragraphs, lists, headings and code blocks are distinguished', () => {
  const kinds = parseMarkdown('# Why\nbecause\n\n- one\n- two\n1. three\n```js\n- no item\n```\nend').map(
    ({ kind }) => kind,
  );
  assert.deepEqual(kinds, ['heading', 'paragraph', 'list', 'list', 'code', 'paragraph']);
});

test('an unclosed code fence extends to the end', () => {
  assert.deepEqual(parseMarkdown('a\n```\nb\n\nc'), [
    { kind: 'paragraph', spans: [{ kind: 'text', text: 'a' }] },
    { kind: 'code', text: 'b\n\nc' },
  ]);
});

test('inline code, emphasis and links are parsed', () => {
  assert.deepEqual(parseInline('use `a*b*` **now**, see [docs](https://example.com) or https://example.org/x.'), [
    { kind: 'text', text: 'use ' },
    { kind: 'code', text: 'a*b*' },
    { kind: 'text', text: ' ' },
    { kind: 'strong', spans: [{ kind: 'text', text: 'now' }] },
    { kind: 'text', text: ', see ' },
    { kind: 'link', href: 'https://example.com', spans: [{ kind: 'text', text: 'docs' }] },
    { kind: 'text', text: ' or ' },
    { kind: 'link', href: 'https://example.org/x', spans: [{ kind: 'text', text: 'https://example.org/x' }] },
    { kind: 'text', text: '.' },
  ]);
});

test('WEB-01: HTML and images stay text', () => {
  const hostile = '<img src=x onerror=alert(1)> <script>alert(1)</script>';
  assert.deepEqual(parseInline(hostile), [{ kind: 'text', text: hostile }]);
});

test('UPL-05: pathological inputs are parsed quickly', () => {
  for (const text of ['[', '`', '*', '**a', '](', 'http://', '- ', '```\n', '# '])
    assert.ok(parseMarkdown(text.repeat(10_000)).length > 0);
});
