import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, formatWithOptions, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { pino } from 'pino';
import { reveal, Secret } from '#kernel/crypto/secret.ts';

const CANARY = 'canary-4f1c';
const secret = new Secret(CANARY);
const bytes = new Secret(Buffer.from(CANARY));

function logged(write: (log: ReturnType<typeof pino>) => void): string {
  const lines: string[] = [];
  write(pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

const WAYS: Record<string, () => unknown> = {
  String: () => String(secret),
  template: () => `${secret}`,
  concatenation: () => ['', secret].join('') + String(secret),
  'default primitive': () => (secret as unknown as string) + '',
  number: () => Number(secret),
  'JSON.stringify': () => JSON.stringify(secret),
  'nested JSON': () => JSON.stringify({ deep: [{ secret }], bytes }),
  toLocaleString: () => secret.toLocaleString(),
  valueOf: () => inspect(secret.valueOf()),
  inspect: () => inspect(secret),
  'inspect of everything hidden': () => inspect({ secret, bytes }, { showHidden: true, depth: null, getters: true }),
  'inspect without custom functions': () => inspect({ secret, bytes }, { customInspect: false, showHidden: true }),
  'format %s': () => format('%s', secret),
  'format %o %O %j %d': () => format('%o %O %j %d', secret, secret, secret, secret),
  formatWithOptions: () => formatWithOptions({ colors: true, showHidden: true }, '%O', { secret, bytes }),
  'Object.entries': () => JSON.stringify([Object.entries(secret), Reflect.ownKeys(secret)]),
  spread: () => inspect({ ...secret }),
  structuredClone: () => inspect(structuredClone({ secret, bytes })),
  'v8 serialize': () => serialize({ secret: { ...secret } }).toString('latin1'),
  'error message': () => new Error(`failed with ${secret}`).stack,
  'error cause': () => inspect(new Error('failed', { cause: { secret, bytes } })),
  'URL query': () => String(new URLSearchParams({ key: String(secret) })),
  'pino fields': () => logged((log) => log.info({ secret, nested: { bytes } }, 'hello')),
  'pino message': () => logged((log) => log.error(secret, 'hello %s', secret)),
  'assertion diff': () => inspect(assertionDiff()),
  'Buffer.from': () => Buffer.from(String(secret)).toString(),
};

function assertionDiff(): unknown {
  try {
    assert.deepEqual({ secret }, { secret: 1 });
    return null;
  } catch (error) {
    return error;
  }
}

for (const [name, show] of Object.entries(WAYS)) {
  test(`SEC-03 a secret shows nothing through ${name}`, () => {
    const shown = String(show());
    assert.ok(!shown.includes(CANARY));
    assert.ok(!shown.includes(Buffer.from(CANARY).toString('hex').slice(0, 12)));
  });
}

test('SEC-03 every usual rendering is the same fixed mask whatever the length', () => {
  for (const value of ['', 'x', 'x'.repeat(1000)]) {
    const other = new Secret(value);
    assert.deepEqual(
      [String(other), `${other}`, JSON.stringify(other), inspect(other)],
      ['[secret]', '[secret]', '"[secret]"', '[secret]'],
    );
  }
});

test('SEC-03 only reveal returns the value', () => {
  assert.equal(reveal(secret), CANARY);
  assert.deepEqual(reveal(bytes), Buffer.from(CANARY));
  assert.throws(() => reveal({} as unknown as Secret), TypeError);
});

test('SEC-03 the rendering of a secret cannot be replaced', () => {
  assert.throws(() => Object.assign(secret, { toString: () => CANARY }), TypeError);
});
