import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ReportMapping } from './report-mapping.ts';

/** Why a mapping cannot be used, as a sentence for the operator. */
export class MappingError extends Error {
  override name = 'MappingProblem';
}

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const MAX_BYTES = 64 * 1024;

/** Reads the text of a mapping, YAML or JSON. */
export function parseMapping(text: string): ReportMapping {
  if (text.length > MAX_BYTES) throw new MappingError(`it is larger than ${MAX_BYTES / 1024} KiB.`);
  let value: unknown;
  try {
    // Aliases can multiply a small file.
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new MappingError(`it is not YAML: ${(error as Error).message.split('\n', 1)[0]}`);
  }
  const { success, data, error } = ReportMapping.safeParse(value);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'the mapping'} ${message}`);
  throw new MappingError(`${problems.join('; ')}.`);
}

/** The names of the mappings in a folder; none if there is no such folder. */
export async function listMappings(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files
    .flatMap((file) => EXTENSIONS.filter((end) => file.endsWith(end)).map((end) => file.slice(0, -end.length)))
    .sort();
}

/** The mapping of a name, which must be a plain file name without its extension. */
export async function readMapping(folder: string, name: string): Promise<ReportMapping> {
  for (const extension of EXTENSIONS) {
    const text = await readFile(join(folder, name + extension), 'utf8').catch(() => undefined);
    if (text !== undefined) return parseMapping(text);
  }
  const known = await listMappings(folder);
  throw new MappingError(known.length === 0 ? 'there are no mappings.' : `there are only ${known.join(', ')}.`);
}
