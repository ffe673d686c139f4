import { Writable } from 'node:stream';

interface Line {
  time: string;
  level: string;
  msg: string;
  err?: { message?: string; stack?: string };
  [name: string]: unknown;
}

/** Writes log lines for people: one short line each. */
export class TerminalLog extends Writable {
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    for (const text of chunk.toString('utf8').trimEnd().split('\n')) process.stderr.write(`${formatLine(text)}\n`);
    done();
  }
}

/** Control characters in logged text must not reach the terminal. */
const plain = (value: unknown) => String(value).replace(/\p{Cc}/gu, ' ');

export function formatLine(text: string): string {
  const { time, level, msg, err, ...facts } = JSON.parse(text) as Line;
  const shown = Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${plain(typeof value === 'object' ? JSON.stringify(value) : value)}`);
  const cause = err ? `\n  ${plain(err.stack ?? err.message).replaceAll('    at ', '\n    at ')}` : '';
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${plain(msg)} ${shown.join(' ')}${cause}`;
}
