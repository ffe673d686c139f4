import type { FormatSign } from '../adapters/format-definition.ts';
import { memberPaths } from '../json/member-paths.ts';
import type { ESTABLISHED_FORMATS } from './established-formats.ts';

/** The number of bytes that are examined to detect the format. */
export const SNIFFED_BYTES = 64 * 2 ** 10;

type EstablishedFormat = keyof typeof ESTABLISHED_FORMATS;

/** Signs of formats that identify themselves, so that no other one has to be considered. */
export const COMMON_SIGNS: readonly (readonly [format: EstablishedFormat, ...signs: FormatSign[]])[] = [
  ['cyclonedx-json', ['bomFormat', /^CycloneDX$/i]],
  ['spdx-json', ['spdxVersion', /^SPDX-2/]],
  ['openvex', ['@context', /openvex/i]],
  ['openvex', 'statements[]', 'statements[].vulnerability'],
  ['sarif', ['$schema', /sarif/i]],
  ['sarif', 'runs[]'],
  ['semgrep-ci', 'findings[]', 'searched_paths'],
  ['semgrep-ci', 'findings[]', 'ignores'],
  ['semgrep-ci', 'findings[].check_id'],
  ['bandit', 'results[].test_id'],
  ['semgrep-json', 'results[].check_id'],
  ['semgrep-json', 'paths.scanned'],
];

export const areSeen = (signs: readonly FormatSign[], keys: ReturnType<typeof memberPaths>): boolean =>
  signs.every((sign) => (typeof sign === 'string' ? keys.has(sign) : sign[1].test(keys.get(sign[0]) ?? '')));

/**
 * The format, if it is one of the most common ones: loading the definitions of all others takes longer than reading a
 * small report.
 */
export function sniffCommonFormat(start: Buffer): EstablishedFormat | undefined {
  const text = start.toString('utf8').replace(/^\uFEFF/, '');
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  const keys = memberPaths(text);
  return COMMON_SIGNS.find(([, ...signs]) => areSeen(signs, keys))?.[0];
}
