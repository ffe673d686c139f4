import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFixture } from '#test/support/reports/report-fixtures.ts';
import { memberPaths } from '../json/member-paths.ts';
import { SNIFFED_BYTES } from './common-signs.ts';
import { sniffFormat } from './sniff-format.ts';

test('the format is detected from the content', () => {
  const formats: [string, string][] = [
    ['eslint.sarif', 'sarif'],
    ['secretlint.sarif', 'sarif'],
    ['semgrep-1.93.json', 'semgrep-json'],
    ['semgrep-ci-diff.json', 'semgrep-ci'],
    ['semgrep-1.70.gitlab-sast.json', 'gitlab-sast'],
    ['semgrep-1.70.gitlab-secrets.json', 'gitlab-secrets'],
    ['cyclonedx-npm-lockonly.xml', 'cyclonedx-xml'],
    ['retire.cyclonedx.json', 'cyclonedx-json'],
    ['npm-sbom.spdx.json', 'spdx-json'],
    ['secretlint.json', 'secretlint'],
    ['eslint.json', 'eslint'],
    ['shellcheck.checkstyle.xml', 'checkstyle'],
    ['cppcheck.xml', 'cppcheck'],
    ['retire-simple.json', 'retire'],
    ['flawfinder.csv', 'flawfinder-csv'],
  ];
  for (const [name, format] of formats)
    assert.equal(sniffFormat(readFixture(name).subarray(0, SNIFFED_BYTES)), format, name);
});

test('the first bytes are enough, even if the members that identify the format come last', () => {
  const results = '{"ruleId":"r","message":{"text":"m"}},'.repeat(5000);
  assert.equal(sniffFormat(Buffer.from(`{"runs":[{"results":[${results}`).subarray(0, SNIFFED_BYTES)), 'sarif');
  const findings = '{"check_id":"r","path":"p","extra":{}},'.repeat(5000);
  assert.equal(sniffFormat(Buffer.from(`{"results":[${findings}`).subarray(0, SNIFFED_BYTES)), 'semgrep-json');
  assert.equal(sniffFormat(Buffer.from('\uFEFF  {"version":"2.1.0","runs":[]}')), 'sarif');
});

test('the error for an unknown format lists what was seen and what is accepted', () => {
  const seen: [string | Buffer, RegExp][] = [
    [
      '{"hello":{"a":1},"world":[1]}',
      /Seen: JSON with hello, world\. Accepted: sarif, semgrep-json, .*semgrep-csv, mapped\.$/,
    ],
    ['[1,2]', /JSON with no members/],
    ['<svg xmlns="x"/>', /XML with the root svg/],
    ['', /Seen: nothing/],
    ['hello', /Seen: text/],
    [Buffer.from('\ufeff{"runs":[]}', 'utf16le'), /UTF-16 text/],
  ];
  for (const [content, pattern] of seen) {
    assert.throws(() => sniffFormat(Buffer.from(content)), {
      name: 'ReportProblem',
      code: 'UNKNOWN_FORMAT',
      message: pattern,
    });
  }
});

test('member paths are listed as far as the text goes', () => {
  const paths = memberPaths('{"a":{"b":[{"c":"x\\"y"},{"d":1}]},"e":[[{"f":2}]],"g":"unfinish');
  assert.deepEqual([...paths.keys()], ['a', 'a.b', 'a.b[]', 'a.b[].c', 'a.b[].d', 'e', 'e[]', 'e[][]', 'e[][].f', 'g']);
  assert.equal(paths.get('a.b[].c'), 'x\\"y');
});
