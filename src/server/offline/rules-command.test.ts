import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { describeRule } from '#domain/rules/rule-metadata.ts';
import { loadMirroredRules, rulesOfRuleset, shippedRules } from '#domain/rules/shipped-rules.ts';
import { isGitAddress, withoutCredentials } from './fetch-rules.ts';

let root: string;
let packs: string;
let source: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'parapet-rules-'));
});
beforeEach(async () => {
  packs = await mkdtemp(join(root, 'packs-'));
  source = join(await mkdtemp(join(root, 'source-')), 'Acme_Rules');
  await mkdir(join(source, 'python/lang'), { recursive: true });
});
after(() => rm(root, { recursive: true }));

const run = (words: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { ...process.env, PARAPET_RULES_DIR: packs, ...env } };
    execFile(process.execPath, ['src/server/main.ts', 'rules', ...words], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const rule = (id: string, more = '') => `rules:
  - id: ${id}
    message: Do not.
    severity: ERROR
    languages: [python]
    pattern: eval(...)
${more}`;

test('rules add mirrors a folder as a ruleset, list shows it, and remove takes it away', async () => {
  await writeFile(join(source, 'python/lang/no-eval.yaml'), rule('no-eval'));
  await writeFile(join(source, 'python/lang/no-eval.test.yaml'), rule('of-a-test'));
  await writeFile(join(source, 'own.yml'), rule('acme.own'));
  await writeFile(join(source, 'settings.yaml'), 'version: 1\n');
  await symlink('/', join(source, 'elsewhere'));
  const added = await run(['add', source]);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /✓ 2 rules are now p\/acme-rules\./);
  assert.match((await run(['list'])).stdout, /^p\/acme-rules {2}2 rules {2}.*Acme_Rules {2}20\d\d-/);

  loadMirroredRules(packs);
  try {
    const ids = rulesOfRuleset('acme-rules')?.map(({ ruleId }) => ruleId);
    assert.deepEqual(ids?.sort(), ['acme.own', 'python.lang.no-eval.no-eval']);
    assert.deepEqual(describeRule('acme.own')?.rulesets, ['p/acme-rules']);
    assert.ok(shippedRules().has('parapet.go.weak-cipher'));
    assert.ok(rulesOfRuleset('parapet')?.every(({ pack }) => pack === undefined));
  } finally {
    loadMirroredRules(join(root, 'none'));
  }
  assert.equal(rulesOfRuleset('acme-rules'), undefined);
  assert.equal((await run(['remove', 'acme-rules'])).code, 0);
  assert.deepEqual(await readdir(packs), []);
});

test('rules add lists what it refuses and adds nothing, or the others with --partial', async () => {
  await writeFile(join(source, 'good.yaml'), rule('good'));
  await writeFile(join(source, 'reserved.yaml'), rule('parapet.own'));
  await writeFile(join(source, 'broken.yaml'), 'rules: [\n');
  await writeFile(join(source, 'bare.yaml'), 'rules:\n  - id: bare\n    message: x\n');
  await writeFile(join(source, 'sca.yaml'), rule('lists', '    r2c-internal-project-depends-on: {}\n'));
  const refused = await run(['add', source, '--name', 'acme']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /4 cannot be used:/);
  for (const line of [
    /reserved\.yaml parapet\.own: ids that start with parapet\./,
    /broken\.yaml: cannot be read/,
    /bare\.yaml bare: expected one of/,
    /sca\.yaml lists: asks about dependencies/,
    /nothing was added\. Correct them, or add the others with --partial\./,
  ])
    assert.match(refused.stderr, line);
  assert.deepEqual(await readdir(packs), []);
  const partial = await run(['add', source, '--name', 'acme', '--partial']);
  assert.equal(partial.code, 0, partial.stderr);
  assert.deepEqual(await readdir(packs), ['acme.json']);
});

test('rules with a mistake says what is wrong and fails', async () => {
  await writeFile(join(source, 'good.yaml'), rule('good'));
  const mistakes: [words: string[], code: number, problem: RegExp][] = [
    [['add'], 2, /Usage: parapet rules add/],
    [['add', source, '--name', 'golang'], 2, /p\/golang is a ruleset of this server/],
    [['add', source, '--name', '../up'], 2, /cannot be a name/],
    [['add', 'ext::sh -c id', '--name', 'acme'], 1, /neither a folder nor an https or ssh address/],
    [['remove', '../acme'], 1, /there is no pack/],
  ];
  const outcomes = await Promise.all(mistakes.map(([words]) => run(words)));
  for (const [index, [words, code, problem]] of mistakes.entries()) {
    assert.equal(outcomes[index]?.code, code, words.join(' '));
    assert.match(outcomes[index]?.stderr ?? '', problem);
  }
});

test('rules add fetches a repository by ssh and keeps its commit', async () => {
  await writeFile(join(source, 'good.yaml'), rule('good'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: source });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'rules');
  // In place of ssh: runs the command that is meant for the other side here.
  const ssh = join(root, 'ssh.sh');
  await writeFile(ssh, '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n', { mode: 0o700 });
  const added = await run(['add', `ssh://git@example.com${source}`, '--name', 'acme'], { GIT_SSH_COMMAND: ssh });
  assert.equal(added.code, 0, added.stderr);
  const { stdout } = await run(['list']);
  assert.match(stdout, /^p\/acme {2}1 rules {2}ssh:\/\/example\.com\S+ at [0-9a-f]{12} /);
});

test('only https and ssh addresses are fetched, and their credentials are not shown', () => {
  const fetched = [
    'https://git.example.com/rules.git',
    'ssh://git@example.com/rules',
    'git@example.com:acme/rules.git',
  ];
  const others = [
    'http://a.example/r',
    'git://a.example/r',
    'file:///tmp/r',
    'ext::sh -c id',
    '--upload-pack=id',
    '/r',
  ];
  assert.deepEqual(fetched.filter(isGitAddress), fetched);
  assert.deepEqual(others.filter(isGitAddress), []);
  assert.equal(withoutCredentials('https://me:secret@git.example.com/r'), 'https://git.example.com/r');
});
