import { Writable } from 'node:stream';
import pino from 'pino';
import type { World } from './world.ts';

/** A logger at the most verbose level that keeps its lines for inspection. */
export function capturingLog(): { log: pino.Logger; text(): string } {
  const kept: string[] = [];
  const lines = new Writable({
    write: (chunk, _, done) => {
      kept.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'trace' }, lines), text: () => kept.join('') };
}

/** All rows of all tables as text, including the audit trail. */
export async function dumpTables(world: World): Promise<string> {
  const tables = await world.queryAsOwner<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  const texts = [];
  for (const { name } of tables)
    texts.push(
      ...(await world.queryAsOwner<{ row: string }>(`select t::text as row from "${name}" as t`)).map(({ row }) => row),
    );
  return texts.join('\n');
}

/** Every encoding in which a secret could leak. */
export function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  return [
    ...[text, [...text].reverse().join(''), JSON.stringify(text).slice(1, -1)],
    ...[form, encodeURIComponent(text)],
    ...[bytes.toString('hex'), bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, '')],
  ];
}
