import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adfOf, markdownOf, paragraph, wikiTextOf } from './ticket-text.ts';

const HOSTILE = '<img src=x> [link](javascript:alert) @admin #12 `code` {macro} |cell| *bold*';
const blocks = [
  paragraph(HOSTILE),
  { kind: 'list', items: [[{ text: 'a]b', url: 'https://x.example/o/1?a=(b)' }]] } as const,
];

test('Markdown shows text as it is, and calls nobody', () => {
  const text = markdownOf(blocks);
  assert.match(text, /\\<img src=x\\>/);
  assert.match(text, /@\u200badmin #\u200b12/);
  assert.match(text, /- \[a\\\]b\]\(https:\/\/x\.example\/o\/1\?a=\(?b\)?\)/);
});

test('wiki text has no macros and no links from text', () => {
  const text = wikiTextOf(blocks);
  assert.match(text, /\\\{macro\\\}/);
  assert.match(text, /\\\[link\\\]/);
});

test('ADF has the text in nodes, which need no escapes, and no empty nodes', () => {
  const document = adfOf([paragraph('', HOSTILE)]) as unknown as { content: { content: { text: string }[] }[] };
  assert.deepEqual(
    document.content[0]?.content.map(({ text }) => text),
    [HOSTILE],
  );
});
