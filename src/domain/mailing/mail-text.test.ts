import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { htmlOf, subjectOf, textOf } from './mail-text.ts';

const content = {
  subject: 'Two findings',
  intro: 'Hello.',
  sections: [
    {
      heading: 'Worst findings',
      lines: [{ text: 'high: SQL injection', detail: 'acme/shop src/db.ts:3', url: 'https://parapet.example/f/1' }],
      more: { text: '5 more', url: 'https://parapet.example/f' },
    },
  ],
  reason: 'You get this from Criticals.',
};
const footer = { settingsUrl: 'https://parapet.example/s', unsubscribeUrl: 'https://parapet.example/u' };

test('the text is complete without the HTML', () => {
  assert.equal(
    textOf(content, footer),
    [
      ...['Hello.', '', 'Worst findings', '- high: SQL injection (acme/shop src/db.ts:3)'],
      ...['  https://parapet.example/f/1', '5 more: https://parapet.example/f', '', '-- '],
      ...['You get this from Criticals.', 'Settings: https://parapet.example/s'],
      ...['Unsubscribe: https://parapet.example/u', ''],
    ].join('\n'),
  );
});

test('no text of a report adds an element, a link or a line to a header', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 100 }),
    fc.constantFrom('\ud800 x', '<script>', '"><a href=https://evil.example>', 'a\r\nBcc: eve@example.com'),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const lines = [{ text, detail: text, url: 'https://parapet.example/x' }];
      const html = htmlOf({ ...content, intro: text, sections: [{ heading: text, lines }] }, footer);
      const tags = [...html.matchAll(/<\/?([a-z!]+)/g)].map(([, name]) => name);
      const known = ['!doctype', 'html', 'body', 'table', 'tr', 'td', 'b', 'a', 'span'];
      assert.deepEqual(
        tags.filter((name) => !known.includes(name ?? '')),
        [],
      );
      assert.doesNotMatch(html, /href="(?!https:\/\/parapet\.example\/)/);
      assert.doesNotMatch(subjectOf(text), /[\r\n]/);
      assert.ok(subjectOf(text).isWellFormed());
    }),
    { numRuns: 30 },
  );
});
