import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsOf, testResultsOf } from './annotation-rules.ts';
import { ruleFileOf } from './run-engine.ts';

const linesOf = (target: string) => annotationsOf(target).map(({ kind, ruleId, line }) => `${line} ${kind} ${ruleId}`);

test('an annotation in a comment of any language is about the next line of code', () => {
  assert.deepEqual(linesOf('# ruleid: a\nx\n// ok: b\n\ny\n<!-- todook: c -->\nz'), [
    '2 ruleid a',
    '5 ok b',
    '7 todook c',
  ]);
  assert.deepEqual(linesOf('/* todoruleid: d.e-f */\nx'), ['2 todoruleid d.e-f']);
});

test('several annotations in a row and several ids are about the same line', () => {
  assert.deepEqual(linesOf('# ruleid: a, b\n# ok: c\nx'), ['3 ruleid a', '3 ruleid b', '3 ok c']);
});

test('text that is no annotation is ignored, and so is an annotation without code after it', () => {
  assert.deepEqual(linesOf('ok: a\nbook: b\n# looks ok to me\nx\n# ruleid: last\n'), []);
});

test('each annotation gets a result', () => {
  const annotations = annotationsOf(
    ['ruleid', 'ruleid', 'ok', 'ok', 'todoruleid', 'todoruleid', 'todook', 'todook']
      .map((kind) => `# ${kind}: a\nx`)
      .join('\n'),
  );
  const matches = [2, 6, 10, 14].map((line) => ({ ruleId: 'a', line }));
  assert.deepEqual(
    testResultsOf(annotations, matches).map(({ must_match, status }) => `${must_match} ${status}`),
    [
      'true passed',
      'true failed',
      'false failed',
      'false passed',
      'true passed',
      'true todo',
      'false todo',
      'false passed',
    ],
  );
  assert.equal(testResultsOf(annotations, [{ ruleId: 'b', line: 2 }])[0]?.status, 'failed');
});

test('a long line cannot slow the search down', () => {
  const start = performance.now();
  annotationsOf(`# ruleid: ${'a,'.repeat(400_000)}\n${'# ruleid:'.repeat(30_000)}`);
  assert.ok(performance.now() - start < 5000);
});

test('text with rules is used as it is, and a pattern becomes a rule', () => {
  for (const pattern of ['rules:\n- id: a', '# comment\nrules: []', '{"rules": []}', '{ rules: [] }'])
    assert.deepEqual(ruleFileOf({ pattern, language: 'go' }), { name: 'rule.yaml', text: pattern });
  const { text } = ruleFileOf({ pattern: '$X.rules', language: 'python' });
  assert.deepEqual(JSON.parse(text).rules[0].languages, ['python']);
});
