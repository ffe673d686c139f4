// Installs the dependencies of the lock file when they are missing, so that every command works in a fresh clone.
// Plain JavaScript, because the machine's own Node (20 or later) runs it before Node 24 is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.parapet-installed');
const isQuiet = process.argv.includes('--quiet');
const expected = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === expected;
if (!isInstalled) {
  if (!isQuiet) console.error('Installing dependencies (once per version) …');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // Standard output belongs to the command that runs next.
    stdio: ['ignore', isQuiet ? 'ignore' : 2, 2],
  });
  if (status !== 0) {
    console.error(
      'The dependencies could not be installed: npm must reach its registry once. Then run the command again.',
    );
    process.exit(1);
  }
  writeFileSync(stamp, expected);
}

const [hostMajor] = process.versions.node.split('.').map(Number);
if (!existsSync(join(modules, '.bin', 'node')) && hostMajor < 24) {
  console.error(
    `Parapet needs Node 24, and npm has none for ${process.platform}-${process.arch}: install it (this is ${process.version}).`,
  );
  process.exit(1);
}
