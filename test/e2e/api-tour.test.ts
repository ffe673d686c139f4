import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Program, withDataFolder } from '#test/support/world/program.ts';

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const skip = !hasTools && 'the tour needs bash and curl, and one of them is not installed';

test('every command of the API tour works as written, in order', { skip }, async () => {
  const guide = readFileSync('docs/guides/api-tour.md', 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.ok(blocks.length >= 11);
  await withDataFolder(async (_, place) => {
    const EMAIL = 'admin@example.com';
    const PASSWORD = 'correct horse battery staple';
    const program = new Program({
      ...place,
      PARAPET_SETUP_ADMIN_EMAIL: EMAIL,
      PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
    });
    const BASE = await program.ready();
    const script = `set -euo pipefail\n${blocks.join('\n')}`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      env: { ...process.env, BASE, EMAIL, PASSWORD },
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    for (const shown of ['"Payments"', '"TRIAGE_STATE_IGNORED"', '"totalOpened"', '"javascript.eval"', '"valid":false'])
      assert.ok(stdout.includes(shown), `${shown} is missing in:\n${stdout}`);
    await program.stop();
  });
});
