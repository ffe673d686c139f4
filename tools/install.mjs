// Brings node_modules up to the lock file, so that `npm start` and `npm test` work in a fresh clone.
// Plain JavaScript, because the machine's own Node (20 or later) runs it before ours is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.parapet-installed');
const quiet = process.argv.includes('--quiet');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

const installed = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
if (!installed) {
  if (!quiet) console.log('Installing dependencies (once per version) …');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.error(
      'The dependencies could not be installed: npm must reach its registry once. Then run the command again.',
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

const [hostMajor] = process.versions.node.split('.').map(Number);
if (!existsSync(join(modules, '.bin', 'node')) && hostMajor < 24) {
  console.error(
    `Parapet needs Node 24 and npm brings none for ${process.platform}-${process.arch}: install Node 24 (found ${process.version}).`,
  );
  process.exit(1);
}
