import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'web/dist/.complete-build-of');

/** Everything that the build reads: the application, the paths of operations, the filter grammar, and the libraries. */
const SOURCES = [
  'tools/web.ts',
  'web/index.html',
  'web/vite.config.ts',
  'web/app/**/*',
  'src/domain/query/**/*.ts',
  'src/kernel/contract/spelling-suggestions.ts',
  'openapi.json',
  'package-lock.json',
];

function digestOfSources(): string {
  const digest = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    digest.update(file.slice(root.length)).update(readFileSync(file));
  return digest.digest('hex');
}

/** Compressed once at the highest level, instead of at each start of the server. */
function writeCompressed(): void {
  for (const file of globSync('web/dist/ui/*', { cwd: root }))
    writeFileSync(join(root, `${file}.gz`), gzipSync(readFileSync(join(root, file)), { level: 9 }));
}

/** Builds the web application when its sources have changed since the last build. */
const expected = digestOfSources();
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === expected;
if (!isCurrent) {
  if (!process.argv.includes('--quiet')) console.log('Building the web pages (once per version) …');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--config', join(root, 'web/vite.config.ts'), '--logLevel', 'warn'],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) {
    console.error(`${stdout}${stderr}The web pages could not be built.`);
    process.exit(1);
  }
  writeCompressed();
  writeFileSync(stamp, expected);
}
