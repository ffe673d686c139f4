import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FindingSummary } from '#domain/automations/people/finding-summary.ts';
import { findingsText } from './slack-text.ts';

const finding = (id: number, more: Partial<FindingSummary['worst'][number]> = {}) => ({
  ...{ id: String(id), title: `SQL injection ${id}`, severity: 4, place: `src/db.ts:${id}`, project: 'acme/shop' },
  ...{ is_closed: false, has_returned: false, ...more },
});
const summary: FindingSummary = {
  ...{ slug: 'acme', total: 42, open: 42, projects: ['acme/shop'], counts: { 4: 2, 3: 40 } },
  worst: [finding(1), finding(2, { has_returned: true })],
  scan: { ref: 'refs/heads/main', commit: '0123456789abcdef', author: 'ann' },
};
const settings = {
  baseUrl: 'https://parapet.example',
  automations: [{ id: '5', name: 'Criticals' }],
  kind: 'findings',
};

test('a message has the project, the counts, the origin, the worst findings, a link to the rest, and a reason', () => {
  assert.deepEqual(findingsText(summary, settings), {
    text: '42 new findings in acme/shop (2 critical, 40 high)',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: '*42 new findings in acme/shop* (2 critical, 40 high)' } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'refs/heads/main · 0123456789ab · ann' }] },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text:
            '• critical: <https://parapet.example/o/acme/findings/1|SQL injection 1> in src/db.ts:1\n' +
            '• critical: <https://parapet.example/o/acme/findings/2|SQL injection 2> in src/db.ts:2 (came back)',
        },
      },
      { type: 'section', text: { type: 'mrkdwn', text: '<https://parapet.example/o/acme/findings|40 more>' } },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: 'Criticals · <https://parapet.example/o/acme/automations/5|Why?>' }],
      },
    ],
  });
});

test('no text of a report mentions anybody, adds a link, or exceeds a limit of Slack', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 500 }),
    fc.constantFrom(
      '<!channel>',
      'a\ud800',
      'é'.repeat(4000),
      '<https://evil.example|click>',
      '&lt;!here&gt;',
      '*_~`',
      '\u202eabc',
      '|'.repeat(400),
    ),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, (title, place, name) => {
      const worst = Array.from({ length: 5 }, (_, index) => finding(index, { title, place, project: name }));
      const { text, blocks } = findingsText(
        { ...summary, worst, projects: [name] },
        { ...settings, automations: [{ id: '1', name }] },
      );
      const parts = blocks.flatMap((block) =>
        block.type === 'section' ? [block.text.text] : block.elements.map((one) => one.text),
      );
      for (const part of [text, ...parts]) {
        assert.ok(part.length <= 3000, String(part.length));
        assert.ok(part.isWellFormed());
        for (const [, target = ''] of part.matchAll(/<([^>|]*)/g))
          assert.ok(target.startsWith('https://parapet.example/'));
      }
      assert.ok(parts.join('').length <= 12_000 && blocks.length <= 50);
    }),
    { numRuns: 30 },
  );
});
