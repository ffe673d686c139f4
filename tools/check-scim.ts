import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Program } from '#test/support/world/program.ts';

/** Has the public compliance tester scim2-tester check the SCIM service of a running server. */

const VERSION = '0.5.2';
const EMAIL = 'admin@example.com';
const PASSWORD = 'correct horse battery staple';

const { values } = parseArgs({
  options: {
    /** A Python that has scim2-tester, to use instead of a new environment. */
    python: { type: 'string' },
  },
});

const TESTER = `
import collections, sys
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server
client = Client(base_url=sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})
results = check_server(SyncSCIMClient(client))
for result in results:
    if result.status.name in ("ERROR", "CRITICAL", "DEVIATION"):
        print(result.status.name, result.title, result.resource_type, result.reason)
counts = collections.Counter(result.status.name for result in results)
print(", ".join(f"{count} {name.lower()}" for name, count in sorted(counts.items())))
sys.exit(0 if counts["SUCCESS"] > 0 and counts["ERROR"] + counts["CRITICAL"] == 0 else 1)
`;

/** Installs the tester for this run; its Python, or undefined if the package index cannot be reached. */
function install(folder: string): string | undefined {
  const python = join(folder, 'bin/python');
  const packages = [`scim2-tester==${VERSION}`, 'scim2-client[httpx2]'];
  const isMade = spawnSync('python3', ['-m', 'venv', folder]).status === 0;
  return isMade && spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...packages]).status === 0
    ? python
    : undefined;
}

async function send(url: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function check(python: string, folder: string): Promise<number> {
  const program = new Program({
    PARAPET_DATA_DIR: join(folder, 'data'),
    PARAPET_SETUP_ADMIN_EMAIL: EMAIL,
    PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
    PARAPET_LIMIT_ADDRESS: '100000000',
    PARAPET_LIMIT_API: '100000000',
    PARAPET_LIMIT_WRITE: '100000000',
  });
  try {
    const base = await program.ready();
    const session = await send(`${base}/api/auth/sessions`, { email: EMAIL, password: PASSWORD });
    const token = String(session['accessToken']);
    const { secret } = await send(`${base}/api/auth/scim/deployments/parapet/token`, {}, token);
    const args = ['-c', TESTER, `${base}/scim/v2`, String(secret)];
    return spawnSync(python, args, { stdio: 'inherit' }).status ?? 1;
  } finally {
    await program.stop();
  }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-scim-'));
  try {
    const python = values.python ?? install(join(folder, 'venv'));
    if (python === undefined) console.log('– scim2-tester skipped: this machine has no python3 with venv, or no PyPI');
    else process.exitCode = await check(python, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

await main();
