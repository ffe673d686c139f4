import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Program, withDataFolder } from '#test/support/world/program.ts';

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const skip = !hasTools && 'the guide needs bash and curl, and one of them is not installed';

test('every command of the scanning guide works as written, in order', { skip }, async () => {
  const guide = readFileSync('docs/guides/scan.md', 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.ok(blocks.length >= 5);
  await withDataFolder(async (folder, place) => {
    const EMAIL = 'admin@example.com';
    const PASSWORD = 'correct horse battery staple';
    const program = new Program({
      ...place,
      PARAPET_SETUP_ADMIN_EMAIL: EMAIL,
      PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
    });
    const BASE = await program.ready();
    const script = `set -euo pipefail\ncd "$FOLDER"\n${blocks.join('\n')}`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      env: { ...process.env, BASE, EMAIL, PASSWORD, FOLDER: folder },
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    const imports = [...stdout.matchAll(/"opened":(\d+),"fixed":(\d+),"reopened":(\d+)/g)].map((match) =>
      match.slice(1, 4).map(Number),
    );
    assert.deepEqual(imports, [
      [2, 0, 0],
      [2, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    assert.ok(stdout.includes('id: parapet.python.code-injection-request'));
    await program.stop();
  });
});
