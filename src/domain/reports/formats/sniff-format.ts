import { memberPaths } from '../json/member-paths.ts';
import { ReportError } from '../report-error.ts';
import { REPORT_FORMATS, type ReportFormat } from '../shape.ts';

/** The number of bytes that are examined to detect the format. */
export const SNIFFED_BYTES = 64 * 2 ** 10;

type Keys = ReturnType<typeof memberPaths>;

const has =
  (...paths: string[]) =>
  (keys: Keys) =>
    paths.every((path) => keys.has(path));
const says = (path: string, pattern: RegExp) => (keys: Keys) => pattern.test(keys.get(path) ?? '');

/** In order: formats that identify themselves come before those recognized by their members. */
const JSON_SIGNS: [format: ReportFormat, isSeen: (keys: Keys) => boolean][] = [
  ['cyclonedx-json', says('bomFormat', /^CycloneDX$/i)],
  ['spdx-json', says('spdxVersion', /^SPDX-2/)],
  ['openvex', says('@context', /openvex/i)],
  ['openvex', has('statements[]', 'statements[].vulnerability')],
  ['sarif', says('$schema', /sarif/i)],
  ['gitlab-secrets', (keys) => has('vulnerabilities[]', 'scan')(keys) && isAboutSecrets(keys)],
  ['gitlab-sast', has('vulnerabilities[]', 'scan')],
  ['sarif', has('runs[]')],
  ['semgrep-ci', has('findings[]', 'searched_paths')],
  ['semgrep-ci', has('findings[]', 'ignores')],
  ['semgrep-ci', has('findings[].check_id')],
  ['bandit', has('metrics', 'generated_at')],
  ['bandit', has('results[].test_id')],
  ['semgrep-json', has('results[].check_id')],
  ['semgrep-json', has('results[]', 'paths')],
  ['semgrep-json', has('paths.scanned')],
  ['semgrep-json', has('results[]', 'errors', 'version')],
  ['shellcheck-json1', has('comments[]')],
  ['retire', has('data[]', 'vulnerabilityRepositories')],
  ['retire', has('data[].file', 'data[].results')],
  ['retire', has('[].file', '[].results[].component')],
  ['biome', has('diagnostics[]', 'summary')],
  ['oxlint', has('diagnostics[]')],
  ['eslint', has('[].filePath', '[].messages', '[].errorCount')],
  ['secretlint', has('[].filePath', '[].messages', '[].sourceContentType')],
  ['secretlint', has('[].filePath', '[].messages[].loc')],
  ['eslint', has('[].filePath', '[].messages')],
  ['ast-grep', has('[].ruleId', '[].range', '[].file')],
  ['ruff', has('[].code', '[].location', '[].filename')],
];

const isAboutSecrets = (keys: Keys) =>
  says('scan.type', /secret/i)(keys) || says('vulnerabilities[].category', /secret/i)(keys);

const XML_ROOTS: Record<string, ReportFormat> = { bom: 'cyclonedx-xml', checkstyle: 'checkstyle', results: 'cppcheck' };

const MAGICS: [startHex: string, name: string][] = [
  ['504b0304', 'a zip archive'],
  ['1f8b', 'gzip inside of gzip'],
  ['fffe', 'UTF-16 text (save it as UTF-8)'],
  ['feff', 'UTF-16 text (save it as UTF-8)'],
  ['255044462d', 'a PDF'],
];

/** Detects the format from the first bytes; the file name is not considered. */
export function sniffFormat(start: Buffer): ReportFormat {
  const text = start.toString('utf8').replace(/^\uFEFF/, '');
  const first = text.trimStart()[0];
  let seen = 'text';
  if (first === '{' || first === '[') {
    const keys = memberPaths(text);
    const sign = JSON_SIGNS.find(([, isSeen]) => isSeen(keys));
    if (sign) return sign[0];
    const shown = [...keys.keys()].filter((path) => /^(\[\]\.)?[^.]+$/.test(path) && !path.endsWith('[]')).slice(0, 8);
    // Member names are echoed to the sender, but truncated.
    seen = `JSON with ${shown.length === 0 ? 'no members' : shown.map((path) => path.slice(0, 40)).join(', ')}`;
  } else if (first === '<') {
    const root = /<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)/.exec(text)?.[1] ?? '';
    const format = Object.hasOwn(XML_ROOTS, root) ? XML_ROOTS[root] : undefined;
    if (format) return format;
    seen = `XML with the root ${root.slice(0, 40)}`;
  } else if (/^"?File"?,"?Line"?,"?Column"?,/.test(text)) return 'flawfinder-csv';
  else if (text.trim() === '') seen = 'nothing';
  const magic = MAGICS.find(([hex]) => start.toString('hex', 0, 8).startsWith(hex))?.[1];
  const message = `The format is not known. Seen: ${magic ?? seen}. Accepted: ${REPORT_FORMATS.join(', ')}.`;
  throw new ReportError('UNKNOWN_FORMAT', message);
}
