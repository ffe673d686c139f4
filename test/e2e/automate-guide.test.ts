import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { FakeGithub } from '#test/support/trackers/fake-forges.ts';
import { makeDatabase, urlOf } from '#test/support/world/database.ts';
import { runStatement } from '#test/support/world/postgres-server.ts';
import { Program } from '#test/support/world/program.ts';

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const skip = !hasTools && 'the guide needs bash and curl, and one of them is not installed';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Trackers are asked every ten minutes; the test does not wait for that. */
const SYNC_NOW = `
  update ticket set synced_at = now() - interval '1 hour' where state = 'open';
  insert into job (deployment_id, queue, kind, payload, unique_key, max_attempts)
  select deployment_id, 'deliveries', 'ticket.sync', jsonb_build_object('instance', destination_id::text),
    destination_id::text, 1
  from ticketing_instance on conflict do nothing`;

test('every command of the guide about automations works as written, in order', { skip }, async () => {
  const guide = readFileSync('docs/guides/automate.md', 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.ok(blocks.length >= 10);
  const EMAIL = 'admin@example.com';
  const PASSWORD = 'correct horse battery staple';
  const folder = await mkdtemp(join(tmpdir(), 'parapet guide '));
  const database = await makeDatabase();
  const tracker = await FakeGithub.start();
  const RECEIVER_PORT = String(await freePort());
  const program = new Program({
    PARAPET_DATA_DIR: folder,
    PARAPET_DATABASE_URL: urlOf(database.connection),
    PARAPET_SETUP_ADMIN_EMAIL: EMAIL,
    PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
    PARAPET_EGRESS_ALLOW: `127.0.0.1:${RECEIVER_PORT},127.0.0.1:${tracker.port}`,
  });
  try {
    const BASE = await program.ready();
    const env = { ...process.env, BASE, EMAIL, PASSWORD, FOLDER: folder, RECEIVER_PORT };
    const issues = { TRACKER: tracker.siteUrl, TRACKER_TOKEN: 'a-token-of-the-test', TRACKER_PROJECT: 'acme/shop' };
    const script = `set -euo pipefail\ncd "$FOLDER"\n${blocks.join('\n')}`;
    const shell = spawn('bash', ['-c', script], { env: { ...env, ...issues } });
    const ended = new Promise<number | null>((resolve) => shell.once('exit', resolve));
    const timer = setInterval(() => void runStatement(database.connection, SYNC_NOW), 1000);
    const limit = setTimeout(() => shell.kill(), 240_000);
    const [stdout, stderr, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
    clearInterval(timer);
    clearTimeout(limit);
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /"success":true,"errorDetail":""/);
    const verdicts = [...stdout.matchAll(/"app_block_override":(true|false)/g)].map(([, verdict]) => verdict);
    assert.deepEqual(verdicts, ['true', 'false']);
    assert.match(stdout, /blocked by Block what is severe\./);
    assert.match(stdout, /no-eval$/m);
    assert.match(stdout, /It has fired for this finding/);
    assert.deepEqual(
      tracker.tickets.map(({ isOpen }) => isOpen),
      [false],
    );
  } finally {
    await program.stop();
    await tracker.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
