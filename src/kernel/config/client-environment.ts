import { readFileSync } from 'node:fs';
import { InvalidSettings } from './config.ts';

/** Variables of commands that call a server; a server itself does not read them. */
export type ClientVariable = 'PARAPET_URL' | 'PARAPET_TOKEN' | 'PARAPET_SOURCE_URL' | 'PARAPET_SOURCE_TOKEN';

/** The value of a variable, or of the file that the variable with the suffix `_FILE` names. */
export function readClientVariable(
  name: ClientVariable,
  env: Record<string, string | undefined> = process.env,
): string | undefined {
  const file = env[`${name}_FILE`];
  if (file === undefined) return env[name]?.trim() || undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new InvalidSettings(`${name}_FILE names "${file}", which cannot be read.`);
  }
}
