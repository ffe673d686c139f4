import { InvalidSettings } from '#kernel/config/config.ts';
import { UnusableKey } from '#kernel/crypto/keys/key-ring.ts';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { InstanceTaken } from '#kernel/db/embedded/instance-lock.ts';
import { SchemaMismatch } from '#kernel/db/migrate/migrate.ts';

const COMMANDS: Record<string, () => Promise<void>> = {
  serve: async () => (await import('./serve.ts')).serve(),
  verify: async () => (await import('./verify.ts')).verify(),
  migrate: async () => (await import('./serve.ts')).migrateDatabase(),
  demo: async () => (await import('../demo/demo-command.ts')).demo(process.argv.slice(3)),
};

/** Failures that an operator can put right: shown as sentences, without a stack. */
const EXPLAINED = [InvalidSettings, EmbeddedUnavailable, InstanceTaken, SchemaMismatch, UnusableKey];

const [name = 'serve'] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) {
  console.error(`Unknown command "${name}". Known: ${Object.keys(COMMANDS).join(', ')}.`);
  process.exit(2);
}
try {
  await command();
} catch (error) {
  const isExplained = EXPLAINED.some((kind) => error instanceof kind);
  console.error(isExplained ? `parapet cannot start:\n${(error as Error).message}` : error);
  process.exit(1);
}
