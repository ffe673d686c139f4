import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-formats-'));
});
after(() => rm(folder, { recursive: true }));

const run = (...words: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, PARAPET_FORMATS_DIR: folder };
    execFile(process.execPath, ['src/server/main.ts', 'formats', ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

test('formats try shows how a report is read, by its format or by a mapping', async () => {
  const known = await run('try', 'test/fixtures/reports/web/zap.json');
  assert.equal(known.code, 0, known.stderr);
  assert.match(known.stdout, /^Tool: ZAP 2\.16\.0 \(zap\)\nFindings: 2 \(2 high\)\n/);
  await writeFile(join(folder, 'report.csv'), 'what,where\nR1,a.py\n');
  await writeFile(
    join(folder, 'acme.yaml'),
    'tool: Acme\nformat: csv\nkind: code\nfields: { rule: what, file: where }\n',
  );
  const mapped = await run('try', join(folder, 'report.csv'), join(folder, 'acme.yaml'));
  assert.match(mapped.stdout, /^Tool: Acme \(mapped\)\nFindings: 1 \(1 no severity\)\n/);
  assert.match(mapped.stdout, /^ {2}no severity {2}R1 {2}a\.py/m);
  const listed = await run('list');
  assert.match(listed.stdout, /^trivy +`trivy/m);
  assert.match(listed.stdout, /^mapped +acme, in /m);
});

test('formats with a mistake says what is wrong and fails', async () => {
  await writeFile(join(folder, 'unknown.json'), '{"hello":1}');
  await writeFile(join(folder, 'wrong.yaml'), 'tool: Acme\n');
  const mistakes: [words: string[], code: number, problem: RegExp][] = [
    [['try', join(folder, 'unknown.json')], 1, /cannot be read: The format is not known\. Seen: JSON with hello/],
    [['try', join(folder, 'unknown.json'), join(folder, 'wrong.yaml')], 2, /wrong\.yaml cannot be used: format /],
    [['try', join(folder, 'none.json')], 2, /none\.json cannot be opened/],
    [['try'], 2, /Usage: parapet formats list/],
    [['other'], 2, /Usage/],
  ];
  for (const [words, code, problem] of mistakes) {
    const outcome = await run(...words);
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, problem);
  }
});
