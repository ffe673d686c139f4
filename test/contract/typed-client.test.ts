import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openapiDocument } from '#test/support/http/operations.ts';
import { openapiTypes } from '#test/support/openapi/openapi-types.ts';
import { World } from '#test/support/world/world.ts';

const run = promisify(execFile);

const compilerOptions = {
  strict: true,
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  types: ['node'],
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
};

/** A folder with the program and the types that openapi-typescript makes from the API description. */
async function programFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-typed-client-'));
  await writeFile(join(folder, 'types.ts'), await openapiTypes(openapiDocument));
  await copyFile('test/clients/typed.ts', join(folder, 'typed.ts'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  return folder;
}

test('a program with the types of openapi-typescript compiles and works against the server', async () => {
  const folder = await programFolder();
  const world = await World.start();
  try {
    await run(resolve('node_modules/.bin/tsc'), ['-p', folder]).catch((error: { stdout: string }) =>
      assert.fail(error.stdout),
    );
    const deployment = await world.deployment('Acme');
    const { text } = await world.token(deployment);
    const env = { ...process.env, BASE: world.baseUrl, TOKEN: text, DEPLOYMENT: deployment.id };
    const { stdout } = await run(process.execPath, [join(folder, 'typed.ts')], { env });
    assert.deepEqual(JSON.parse(stdout), {
      changed: 'Billing',
      names: ['Acme', 'Billing'],
      members: [],
      gone: 'NOT_FOUND',
    });
  } finally {
    await world.stop();
    await rm(folder, { recursive: true });
  }
});
