import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Program } from '#test/support/world/program.ts';

/** Has Schemathesis send generated requests to a running server with the demo, as openapi.json describes them. */

const VERSION = '4.32.5';
const EMAIL = 'admin@example.com';
const PASSWORD = 'correct horse battery staple';
const DEFAULT_MINUTES = 30;

/** No server errors, no reply that the description does not have, and no valid request that is refused. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'valid_request_accepted',
];

/** These end what all other requests need: the older policies, the demo, the session and the token. */
const EXCLUDED = '^(PoliciesV2Service_Migrate|DemoService_Delete|SessionsService_|TokenService_(Delete|Rotate))';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: `${DEFAULT_MINUTES}` },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    /** Only operations whose id matches. */
    operations: { type: 'string' },
    /** An installed Schemathesis, to use instead of a new one. */
    command: { type: 'string' },
  },
});
const seconds = Math.max(1, Math.round(Number(values.minutes) * 60));

/** Runs a command to its end and shows what it prints. It may write to the folder. */
const show = (command: string, args: readonly string[], folder: string): Promise<number> =>
  new Promise((done, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd: folder });
    child.once('error', reject);
    child.once('exit', (code) => done(code ?? 1));
  });

type Json = Record<string, unknown>;

/** Calls the server as one caller. */
class Caller {
  readonly #base: string;
  readonly #token: string | undefined;

  constructor(base: string, token?: string) {
    this.#base = base;
    this.#token = token;
  }

  async send(method: string, path: string, body?: Json): Promise<Json> {
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  }
}

/** Loads the demo and waits until it is complete. */
async function loadDemo(admin: Caller): Promise<string> {
  const { deploymentId } = await admin.send('POST', '/api/demo/v1/deployments');
  for (;;) {
    const { state } = await admin.send('GET', `/api/demo/v1/deployments/${deploymentId}`);
    if (state === 'READY') return String(deploymentId);
    if (state === 'FAILED') throw new Error('The demo could not be loaded.');
    await sleep(500);
  }
}

const firstOf = (reply: Json, list: string, member: string): unknown => (reply[list] as Json[])[0]?.[member];

/** The ids of the demo that requests use, by the name of their path parameter. */
async function idsOf(admin: Caller, deploymentId: string): Promise<Record<string, string>> {
  const of = (path: string) => path.replace('{id}', deploymentId);
  const lists: [parameter: string, path: string, list: string, member: string, body?: Json][] = [
    ['teamId', '/api/permissions/v2/deployments/{id}/teams/list', 'teams', 'id', {}],
    ['policyId', '/api/v1/deployments/{id}/policies', 'policies', 'id'],
    ['ruleboardSlug', '/api/agent/deployments/{id}/ruleboards', 'ruleboards', 'slug'],
    ['projectName', '/api/v1/deployments/{id}/projects', 'projects', 'name'],
    ['projectId', '/api/v1/deployments/{id}/projects', 'projects', 'id'],
    ['issueId', '/api/v1/deployments/{id}/findings', 'findings', 'id'],
  ];
  const ids: Record<string, string> = { deploymentId, deploymentSlug: deploymentId, deployment: deploymentId };
  for (const [parameter, path, list, member, body] of lists)
    ids[parameter] = String(firstOf(await admin.send(body ? 'POST' : 'GET', of(path), body), list, member));
  return { ...ids, repoId: ids['projectId'] ?? '1', repositoryId: ids['projectId'] ?? '1' };
}

const tomlOf = (ids: Record<string, string>): string =>
  [
    `hooks = ${JSON.stringify(resolve('test/clients/schemathesis_hooks.py'))}`,
    '',
    '[parameters]',
    ...Object.entries(ids).map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`),
    '',
  ].join('\n');

/** Installs Schemathesis for this run; its command. */
function install(folder: string): string {
  const steps = [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin/python'), '-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`],
  ] as const;
  for (const [command, ...args] of steps) {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stderr}`);
  }
  return join(folder, 'bin/schemathesis');
}

async function check(schemathesis: string, folder: string): Promise<number> {
  const program = new Program({
    PARAPET_DATA_DIR: join(folder, 'data'),
    PARAPET_SETUP_ADMIN_EMAIL: EMAIL,
    PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
    PARAPET_LIMIT_ADDRESS: '100000000',
    PARAPET_LIMIT_API: '100000000',
    PARAPET_LIMIT_WRITE: '100000000',
    PARAPET_LIMIT_CHECK_USER: '100000000',
    PARAPET_LIMIT_CHECK_DEPLOYMENT: '100000000',
  });
  try {
    const base = await program.ready();
    const session = await new Caller(base).send('POST', '/api/auth/sessions', { email: EMAIL, password: PASSWORD });
    const admin = new Caller(base, String(session['accessToken']));
    const deployment = await loadDemo(admin);
    const wanted = { name: 'Schemathesis', role: 'TOKEN_ROLE_WEBAPI', webApi: true };
    const { secret } = await admin.send('POST', `/api/tokens/v1/deployments/${deployment}/tokens`, wanted);
    const config = join(folder, 'schemathesis.toml');
    await writeFile(config, tomlOf(await idsOf(admin, deployment)));
    return await show(
      schemathesis,
      [
        `--config-file=${config}`,
        'run',
        `${base}/openapi.json`,
        `--header=Authorization: Bearer ${secret}`,
        `--phases=${values.phases}`,
        `--checks=${CHECKS.join(',')}`,
        `--exclude-operation-id-regex=${EXCLUDED}`,
        ...(values.operations === undefined ? [] : [`--include-operation-id-regex=${values.operations}`]),
        `--max-time=${seconds}`,
        '--continue-on-failure',
        '--suppress-health-check=all',
        '--request-timeout=60',
        '--workers=2',
        '--warnings=off',
      ],
      folder,
    );
  } finally {
    await program.stop();
  }
}

async function main(): Promise<void> {
  if (spawnSync('python3', ['-m', 'venv', '--help'], { stdio: 'ignore' }).status !== 0) {
    console.log('– Schemathesis skipped: this machine has no python3 with venv');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'parapet-schemathesis-'));
  try {
    process.exitCode = await check(values.command ?? install(join(folder, 'venv')), folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

await main();
