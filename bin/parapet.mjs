#!/usr/bin/env node
// The command `parapet`. Plain JavaScript, because the machine's own Node (20 or later) runs it: it installs the
// dependencies when they are missing, and continues under the Node 24 that npm installed.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const main = join(root, 'src', 'server', 'main.ts');
const MIN_NODE_MAJOR = 24;

await import('../tools/install.mjs');

if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR) {
  await import(pathToFileURL(main).href);
} else {
  const node = join(root, 'node_modules', '.bin', 'node');
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; other senders reach only this one.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {});
  child.on('error', (error) => {
    console.error(`parapet: ${node} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
