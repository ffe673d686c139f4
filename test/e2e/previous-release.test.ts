import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { version } from '#kernel/config/version.ts';
import { client } from '#kernel/contract/client.ts';
import * as teams from '#services/teams/contract.ts';
import { Program, withDataFolder } from '#test/support/world/program.ts';

/** An upgrade without downtime: the previous release keeps serving on a database that this version has migrated. */

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();

/** The latest release before this version. Without one, the committed state of this version is used. */
function previousRelease(): string {
  const tags = git('tag', '--list', 'v*', '--sort=-v:refname').split('\n').filter(Boolean);
  return tags.find((tag) => tag !== `v${version}`) ?? 'HEAD';
}

async function checkOut(ref: string, folder: string): Promise<void> {
  const archive = join(folder, 'release.tar');
  const release = join(folder, 'release');
  git('archive', '--output', archive, '--prefix', 'release/', ref);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const sameLock =
    (await readFile(join(release, 'package-lock.json'), 'utf8')) === (await readFile('package-lock.json', 'utf8'));
  if (sameLock) await symlink(join(process.cwd(), 'node_modules'), join(release, 'node_modules'));
  else execFileSync(process.execPath, ['tools/install.mjs', '--quiet'], { cwd: release });
}

const skip = (() => {
  if (!existsSync('.git')) return 'not a git checkout, so the previous release is not available';
  if (previousRelease() !== 'HEAD') return false;
  const isChanged = git('status', '--porcelain', '--', 'migrations') !== '';
  return isChanged ? 'there is no release yet, and migrations are not committed' : false;
})();

async function listTeams(baseUrl: string, folder: string): Promise<number> {
  const token = await readFile(join(folder, 'token'), 'utf8');
  const { status } = await client(teams, { baseUrl, token }).listDeploymentTeams({
    path: { deploymentId: 'acme' },
    body: {},
  });
  return status;
}

test('the previous release serves on a database that this version and its next migration have expanded', {
  skip,
}, async () => {
  await withDataFolder(async (folder, place) => {
    await checkOut(previousRelease(), folder);
    const settings = {
      ...place,
      PARAPET_DATA_DIR: join(folder, 'data'),
      PARAPET_SETUP_ADMIN_EMAIL: 'admin@example.com',
      PARAPET_SETUP_ADMIN_PASSWORD: 'correct horse battery staple',
      PARAPET_SETUP_ORG: 'Acme',
      PARAPET_SETUP_TOKEN_FILE: join(folder, 'token'),
    };
    const upgraded = new Program(settings);
    assert.equal(await listTeams(await upgraded.ready(), folder), 200);
    assert.equal(await upgraded.stop(), 0, upgraded.output);

    // The next version: this version plus a migration that the previous release does not know.
    const next = join(folder, 'next');
    for (const name of ['migrations', 'src', 'package.json']) await cp(name, join(next, name), { recursive: true });
    await writeFile(
      join(next, 'migrations', '9999_next.sql'),
      '-- expand: add a table\ncreate table next_release (id int primary key);\n',
    );
    for (const name of ['rules', 'web', 'node_modules']) await symlink(join(process.cwd(), name), join(next, name));
    const migrated = new Program(settings, ['migrate'], join(next, 'src/server/main.ts'));
    assert.equal(await migrated.exited, 0, migrated.output);
    assert.match(migrated.output, /applied 1 migration/);

    const previous = new Program(settings, ['serve'], join(folder, 'release/src/server/main.ts'));
    assert.equal(await listTeams(await previous.ready(), folder), 200);
    assert.equal(await previous.stop(), 0, previous.output);
  });
});
