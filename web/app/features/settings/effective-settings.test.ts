import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DEFAULT_PRODUCT_SETTINGS } from '#domain/products/rules.ts';
import { PRODUCT_SETTINGS } from './products/product-settings.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** The source that acts on each switch, with the expression by which it does. */
const EFFECTIVE: Record<string, readonly [path: string, expression: string]> = {
  'sast.enabled': ['src/services/scanner/start-scan.ts', 'settings[product].enabled'],
  'sca.enabled': ['src/services/scanner/start-scan.ts', 'settings[product].enabled'],
  'secrets.enabled': ['src/services/scanner/start-scan.ts', 'settings[product].enabled'],
  'secrets.global_validation_state_policy.error': [
    'src/domain/unified-policies/migrate-boards.ts',
    'settings.secrets.global_validation_state_policy',
  ],
  'secrets.global_validation_state_policy.invalid': [
    'src/domain/unified-policies/migrate-boards.ts',
    'settings.secrets.global_validation_state_policy',
  ],
  hasDeveloperTriage: ['src/domain/products/triage-permission.ts', 'triagePermissionOf'],
};

const OTHER_SWITCHES: Record<string, readonly [path: string, expression: string]> = {
  'Single-key shortcuts': ['web/app/foundation/keys/use-shortcuts.ts', 'areSingleKeysEnabled'],
  'Valid secrets': ['src/domain/mailing/tell-secrets.ts', 'valid_secrets'],
  Automations: ['src/domain/mailing/mailboxes.ts', 'automations'],
  'Send an event for every completed scan': [
    'src/domain/automations/webhooks/webhook-store.ts',
    'and webhook.sends_scan_events',
  ],
  'Web API': ['src/domain/accounts/authenticator.ts', 'web_api'],
  'SWITCHES[name]': ['src/domain/ticketing/ticket-automations.ts', 'scaMaliciousDeps'],
};

const SWITCH_LABEL = /<Switch\s[^>]*?label=(?:"([^"]+)"|\{([^}]+)\})/g;

const leavesOf = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`))
    : [path];

/** The text of a file, or of all sources of a folder. */
const sourcesOf = (path: string): string =>
  path.endsWith('.ts')
    ? read(path)
    : globSync(`${path}/**/*.{ts,sql}`, { cwd: ROOT, exclude: (name) => name.endsWith('.test.ts') })
        .map(read)
        .join('\n');

test('every product setting is on the page, and says whether the server acts on it', () => {
  assert.deepEqual(PRODUCT_SETTINGS.map(({ path }) => path).sort(), leavesOf(DEFAULT_PRODUCT_SETTINGS).sort());
  const effective = PRODUCT_SETTINGS.filter(({ isEffective }) => isEffective).map(({ path }) => path);
  assert.deepEqual(effective.sort(), Object.keys(EFFECTIVE).sort());
});

test('the server acts on every switch that does not say otherwise', () => {
  for (const [name, [path, expression]] of Object.entries({ ...EFFECTIVE, ...OTHER_SWITCHES }))
    assert.ok(sourcesOf(path).includes(expression), `${name}: ${path} does not read ${expression}`);
});

test('nothing reads a product setting that is said to be stored only', () => {
  const paths = globSync('src/{domain,services,server}/**/*.ts', {
    cwd: ROOT,
    exclude: (name) => /\.test\.ts$|examples\.ts$|domain\/products$|services\/deployment-products$/.test(name),
  });
  const sources = paths.map((path) => [path, read(path)] as const);
  for (const { path, isEffective } of PRODUCT_SETTINGS) {
    // Members called `enabled` are recognized by what they belong to.
    const member =
      path
        .replace(/\.enabled$/, '')
        .split('.')
        .at(-1) ?? path;
    if (isEffective || member === 'ai') continue;
    const readers = sources.filter(([, text]) => text.includes(`.${member}`) || text.includes(`{ ${member}`));
    assert.deepEqual(
      readers.map(([file]) => file),
      [],
      `${path} is read: list it as effective`,
    );
  }
});

test('every other switch of the settings is listed with what acts on it', () => {
  const folders = '{appearance,integrations,notifications,tokens}';
  const labels = globSync(`web/app/features/settings/${folders}/**/*.tsx`, { cwd: ROOT }).flatMap((path) =>
    [...read(path).matchAll(SWITCH_LABEL)].map(([, text, code]) => text ?? code ?? ''),
  );
  assert.deepEqual(labels.sort(), Object.keys(OTHER_SWITCHES).sort());
});
