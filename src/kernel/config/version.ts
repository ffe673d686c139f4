import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../../../package.json', import.meta.url));

/** The version of this program, from package.json. */
export const version: string = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
