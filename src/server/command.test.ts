import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { version } from '#kernel/config/version.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/parapet.mjs', import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

function parapet(args: string[], settings: Record<string, string> = {}) {
  const env = { PATH: '/usr/bin:/bin', ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return { status, stdout, stderr };
}

describe('parapet', () => {
  test('prints its version and help on standard output', () => {
    assert.deepEqual(parapet(['--version']), { status: 0, stdout: `parapet ${version}\n`, stderr: '' });
    const { status, stdout, stderr } = parapet([]);
    assert.deepEqual([status, stderr], [0, '']);
    for (const command of ['serve', 'worker', 'migrate', 'verify', 'demo', 'openapi']) {
      assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'));
      assert.match(parapet([command, '--help']).stdout, new RegExp(`^Usage: parapet ${command} `, 'm'));
    }
  });

  test('exits with 2 on a usage error, and says so on standard error', () => {
    const { status, stdout, stderr } = parapet(['verfy']);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /Did you mean "verify"\?/);
  });

  test('exits with 2 when a setting has a value that is not allowed', () => {
    const { status, stderr } = parapet(['serve'], { PARAPET_PORT: 'abc' });
    assert.equal(status, 2);
    assert.match(stderr, /^parapet cannot start:\nPARAPET_PORT is "abc"; allowed: 0 to 65535\.$/m);
  });

  test('refuses a database URL whose options would replace the role of its sessions, without printing it (TEN-01)', () => {
    const { status, stderr } = parapet(['serve'], {
      PARAPET_DATABASE_URL: 'postgres://user:pass-word@127.0.0.1:1/parapet?sslmode=require&options=-c%20jit%3Doff',
    });
    assert.equal(status, 2);
    assert.match(stderr, /^PARAPET_DATABASE_URL is set to a value that is not allowed; .* the parameter options/m);
    assert.doesNotMatch(stderr, /pass-word/);
  });

  test('exits with 5 when the database cannot be reached, and does not print its password', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parapet-command-'));
    const { status, stderr } = parapet(['migrate'], {
      PARAPET_DATABASE_URL: 'postgres://user:pass-word@127.0.0.1:1/parapet',
      PARAPET_DATA_DIR: folder,
    });
    rmSync(folder, { recursive: true });
    assert.equal(status, 5);
    assert.match(stderr, /The database cannot be reached: .*Check PARAPET_DATABASE_URL\./);
    assert.doesNotMatch(stderr, /pass-word/);
  });

  test('prints the OpenAPI document and nothing else', () => {
    const { status, stdout, stderr } = parapet(['openapi']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal((JSON.parse(stdout) as { openapi: string }).openapi, '3.1.0');
  });
});
