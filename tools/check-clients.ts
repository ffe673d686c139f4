import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Program, withDataFolder } from '#test/support/world/program.ts';

/** Has OpenAPI Generator make clients from openapi.json, builds them, and calls a running server through each. */

const GENERATOR = { version: '7.25.0', folder: resolve('node_modules/.cache/openapi-generator') };
const JAR = join(GENERATOR.folder, `openapi-generator-cli-${GENERATOR.version}.jar`);
const EMAIL = 'admin@example.com';
const PASSWORD = 'correct horse battery staple';

const REPORT = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'checker', rules: [{ id: 'no-eval' }] } },
      results: [
        {
          ruleId: 'no-eval',
          message: { text: 'eval runs whatever it is given.' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'src/app.js' }, region: { startLine: 3 } } }],
        },
      ],
    },
  ],
};

const has = (tool: string) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;

/** Runs a command, or ends this check with what it printed. */
function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (status === 0) return stdout.trim();
  throw new Error(`${command} ${args.slice(0, 4).join(' ')} … failed:\n${stdout}\n${stderr}\n${error?.message ?? ''}`);
}

/** Gets the generator once, from the repository that this machine's Maven is set up with. */
function fetchGenerator(): void {
  const artifact = `org.openapitools:openapi-generator-cli:${GENERATOR.version}:jar`;
  run('mvn', ['-B', '-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${GENERATOR.folder}`]);
}

const generate = (language: string, folder: string, options: readonly string[]) =>
  run('java', ['-jar', JAR, 'generate', '-i', 'openapi.json', '-g', language, '-o', folder, ...options]);

async function buildTypescript(folder: string): Promise<[command: string, args: string[]]> {
  generate('typescript-fetch', join(folder, 'client'), [
    '--additional-properties=importFileExtension=.js,modelPropertyNaming=original',
  ]);
  await copyFile('test/clients/smoke.ts', join(folder, 'smoke.ts'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    types: ['node'],
    outDir: 'out',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, exclude: ['out'] }));
  run(resolve('node_modules/.bin/tsc'), ['-p', folder]);
  return [process.execPath, [join(folder, 'out/smoke.js')]];
}

async function buildPython(folder: string): Promise<[command: string, args: string[]]> {
  generate('python', folder, ['--package-name=parapet_client', '--remove-operation-id-prefix']);
  await copyFile('test/clients/smoke.py', join(folder, 'smoke.py'));
  run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const python = join(folder, 'venv/bin/python');
  run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', join(folder, 'requirements.txt')]);
  return [python, [join(folder, 'smoke.py')]];
}

const CLIENTS = [
  { language: 'TypeScript', tools: ['java', 'mvn'], build: buildTypescript },
  { language: 'Python', tools: ['java', 'mvn', 'python3'], build: buildPython },
];

async function check({ build }: (typeof CLIENTS)[number], server: { BASE: string; REPORT: string }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-client-'));
  try {
    const [command, args] = await build(folder);
    return run(command, args, { env: { ...process.env, ...server, EMAIL, PASSWORD } });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  const ready = CLIENTS.filter(({ language, tools }) => {
    const missing = tools.filter((tool) => !has(tool));
    if (missing.length > 0) console.log(`– ${language} client skipped: this machine has no ${missing.join(', no ')}`);
    return missing.length === 0;
  });
  if (ready.length === 0) return;
  await mkdir(GENERATOR.folder, { recursive: true });
  fetchGenerator();
  await withDataFolder(async (folder) => {
    const report = join(folder, 'report.sarif');
    await writeFile(report, JSON.stringify(REPORT));
    const program = new Program({
      PARAPET_DATA_DIR: folder,
      PARAPET_SETUP_ADMIN_EMAIL: EMAIL,
      PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
    });
    const BASE = await program.ready();
    for (const client of ready) console.log(`✓ ${await check(client, { BASE, REPORT: report })}`);
    await program.stop();
  });
}

await main();
