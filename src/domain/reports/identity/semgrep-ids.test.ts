import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFixture } from '#test/support/reports/report-fixtures.ts';
import {
  formulaOf,
  matchBasedId,
  matchedCode,
  matchHashes,
  pythonRepr,
  sha256Hex,
  syntacticId,
} from './semgrep-ids.ts';

test("syntactic ids equal Semgrep's", () => {
  const known = { rule: 'long.rule.id', path: 'relative/path/to/foo.py', context: '5 == 5', index: 0 };
  assert.equal(syntacticId(known), 'e9f75ffe95edb9e7b898d5f8c475501a');
  const evaluation = { rule: 'py.no-eval', path: 'app.py', context: 'eval(x)' };
  assert.equal(syntacticId({ ...evaluation, index: 0 }), '781d5b327846e9a2d7c5b67a2cb74c56');
  assert.equal(syntacticId({ ...evaluation, index: 1 }), '254062f6ea2ac028c7d1a48956a69cfe');
});

test("match-based ids equal Semgrep's", () => {
  assert.equal(
    matchBasedId({ rule: 'py.no-eval', path: 'app.py', formula: 'eval\\((.*?)\\)', index: 0 }),
    'ee283933ef619d5c58f0f5aa49ea46c000401fad6974d79019c474a1699a5eda' +
      '7bf65244ff28077ba5d8af38e990e8fe5a317d8f3fa998a67041e8fa978b9061_0',
  );
  assert.equal(
    matchBasedId({ rule: 'ssc-lodash', path: 'package-lock.json', formula: '', index: 0 }),
    '240ca7799aadfe8750506daa2884c33742c407105a081e844dff6353c6d1858a' +
      'cf0de43a45ea9a3649121b00d14bcfe8b0d27187e7170ff80fbacf4bfffc134f_0',
  );
  assert.match(matchBasedId({ rule: 'r', path: 'p', formula: '', index: 3 }, true), /^[\da-f]{64}_3$/);
});

test("hashes equal Semgrep's", () => {
  const hashes = matchHashes({ context: 'eval(x)', formula: '', startLine: '    eval(x)\n', endLine: '    eval(x)\n' });
  assert.deepEqual(hashes, {
    code_hash: '43aec61ea49223f19b47822e8ea1f3ee301bc5c1568989bbbb8ad86635c9379f',
    pattern_hash: sha256Hex(''),
    start_line_hash: '9fbfe97af98f5443a5b6566b44102e7a6ccd203d93f69c01d387dba0c730b11d',
    end_line_hash: '9fbfe97af98f5443a5b6566b44102e7a6ccd203d93f69c01d387dba0c730b11d',
  });
});

test('all ids and hashes of a recorded upload are reproduced from its rules and lines', () => {
  const { findings, ignores } = JSON.parse(readFixture('semgrep-ci-block.json').toString()) as Record<
    'findings' | 'ignores',
    { check_id: string; path: string; index: number; syntactic_id: string; match_based_id: string; hashes: object }[]
  >;
  const lines: Record<string, [line: string, formula: string]> = {
    'py.no-eval': ['    eval(x)\n', formulaOf({ 'pattern-regex': 'eval\\((.*?)\\)' })],
    'py.no-os-system': ['    os.system(cmd)\n', formulaOf({ 'pattern-regex': 'os\\.system\\((.*?)\\)' })],
  };
  const checked = findings.filter(({ check_id }) => check_id in lines);
  assert.equal(checked.length, 3);
  for (const { check_id: rule, path, index, syntactic_id, match_based_id, hashes } of checked) {
    const [line = '', formula = ''] = lines[rule] ?? [];
    const context = matchedCode(line);
    assert.equal(syntacticId({ rule, path, context, index }), syntactic_id);
    assert.equal(matchBasedId({ rule, path, formula, index }), match_based_id);
    assert.deepEqual(matchHashes({ context, formula, startLine: line, endLine: line }), hashes);
  }
  const [ignored] = ignores;
  const context = matchedCode('    os.system("ls")  # nosemgrep\n');
  assert.equal(syntacticId({ rule: 'py.no-os-system', path: 'app.py', context, index: 0 }), ignored?.syntactic_id);
});

test('a formula sorts and joins all of its patterns', () => {
  const patterns = [
    { pattern: 'foo($X, ...)' },
    { 'pattern-not': 'foo(1)' },
    { 'pattern-either': [{ pattern: 'b($Y)' }, { pattern: 'a($Y)' }] },
    { 'metavariable-regex': { metavariable: '$X', regex: '^z.*' } },
  ];
  assert.equal(formulaOf({ id: 'x', patterns }), '$X ^z.* a($Y) b($Y) foo($X, ...) foo(1)');
  const taint = {
    mode: 'taint',
    'pattern-sources': [{ pattern: 'src()' }],
    'pattern-sinks': [{ pattern: 'sink($X)' }, { pattern: 'alt($X)' }],
    'pattern-sanitizers': [{ pattern: 'clean($X)' }],
  };
  assert.equal(formulaOf(taint), 'alt($X) sink($X) src()');
  const comparison = { 'metavariable-comparison': { metavariable: '$X', comparison: '$X > 1', strip: true } };
  assert.equal(formulaOf({ patterns: [{ pattern: 'f($X)' }, comparison] }), '');
  assert.equal(
    formulaOf({ pattern: 'f($X, $Y)' }, [
      ['$X', '$$1'],
      ['$Y', 'b'],
    ]),
    'f($$1, b)',
  );
});

test("strings are formatted like Python's repr", () => {
  const printed: [string, string][] = [
    ['plain', "'plain'"],
    ["it's", `"it's"`],
    [`it's "x"`, `'it\\'s "x"'`],
    ['say "x"', `'say "x"'`],
    ['a\\b\n\r\t', "'a\\\\b\\n\\r\\t'"],
    ['\u0000\u001b\u007f\u00a0\u00ad', "'\\x00\\x1b\\x7f\\xa0\\xad'"],
    ['é😀', "'é😀'"],
    ['\u2028\u200b\ue000', "'\\u2028\\u200b\\ue000'"],
    ['\u{e0001}', "'\\U000e0001'"],
  ];
  for (const [text, expected] of printed) assert.equal(pythonRepr(text), expected);
});

test('the matched code loses an ignore comment, common indentation and surrounding whitespace', () => {
  const contexts: [string, string][] = [
    ['    eval(x)\n', 'eval(x)'],
    ['  f(a) # nosemgrep: rule.id, other\n', 'f(a)'],
    ['  f(a) // NOSEM\n', 'f(a)'],
    ['  f(a) # not nosemgrepped\n', 'f(a) # not nosemgrepped'],
    ['    if a:\n        b()\n\n    # nosem\n', 'if a:\n    b()\n\n# nosem'],
    ['\tf(\n\t  x)', 'f(\n  x)'],
  ];
  for (const [lines, expected] of contexts) assert.equal(matchedCode(lines), expected);
});
