import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type ClientVariable, readClientVariable } from '#kernel/config/client-environment.ts';
import { OperatorError } from '#kernel/errors/operator-error.ts';

/** A mistake in how the command was called. */
export class MoveUsage extends OperatorError {
  override readonly exitCode = 2;
}

/** A value of the environment, or what is typed at a terminal; a secret is not shown. */
export async function askFor(
  variable: ClientVariable,
  { question, isSecret }: { question: string; isSecret: boolean },
): Promise<string> {
  const set = readClientVariable(variable);
  if (set !== undefined) return set;
  if (!process.stdin.isTTY) throw new MoveUsage(`${variable} is not set. It is ${question}.`);
  let isQuiet = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isQuiet) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    const asked = terminal.question(`${question} (${variable}): `);
    isQuiet = isSecret;
    const answer = (await asked).trim();
    if (isSecret) process.stderr.write('\n');
    if (answer === '') throw new MoveUsage(`${variable} is not set. It is ${question}.`);
    return answer;
  } finally {
    terminal.close();
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** An address without a path at its end. A token is sent over plain HTTP only to this machine, or if that is wanted. */
export function checkedAddress(variable: ClientVariable, address: string, isHttpAllowed: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new MoveUsage(`${variable} is not an http or https address.`);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !isHttpAllowed)
    throw new MoveUsage(`${variable} would send a token without encryption; use https, or --allow-http.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
