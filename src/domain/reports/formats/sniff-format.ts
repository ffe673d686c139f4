import type { FormatSign } from '../adapters/format-definition.ts';
import { memberPaths } from '../json/member-paths.ts';
import { ReportError } from '../report-error.ts';
import { REPORT_FORMATS, type ReportFormat } from '../shape.ts';
import { areSeen, COMMON_SIGNS } from './common-signs.ts';
import { FORMAT_DEFINITIONS } from './format-definitions.ts';

/** Signs that are too wide to be looked for before those of definitions, in order. */
const WIDE_SIGNS: [format: ReportFormat, ...signs: FormatSign[]][] = [
  ['gitlab-secrets', 'vulnerabilities[]', 'scan', ['scan.type', /secret/i]],
  ['gitlab-secrets', 'vulnerabilities[]', 'scan', ['vulnerabilities[].category', /secret/i]],
  ['gitlab-dependency', 'vulnerabilities[]', 'scan', ['scan.type', /^dependency_scanning$/]],
  ['gitlab-sast', 'vulnerabilities[]', 'scan'],
  ['gitlab-secrets', 'vulnerabilities[].location', ['vulnerabilities[].category', /secret/i]],
  ['gitlab-dependency', 'vulnerabilities[].location', ['vulnerabilities[].category', /^dependency_scanning$/]],
  ['gitlab-sast', 'vulnerabilities[].location', 'vulnerabilities[].identifiers[]'],
  ['gitlab-sast', 'vulnerabilities[]', 'remediations[]'],
  ['bandit', 'metrics', 'generated_at'],
  ['semgrep-json', 'results[]', 'paths'],
  ['semgrep-json', 'results[]', 'errors', 'version'],
  ['shellcheck-json1', 'comments[]'],
  ['retire', 'data[]', 'vulnerabilityRepositories'],
  ['retire', 'data[].file', 'data[].results'],
  ['retire', '[].file', '[].results[].component'],
  ['biome', 'diagnostics[]', 'summary'],
  ['oxlint', 'diagnostics[]'],
  ['eslint', '[].filePath', '[].messages', '[].errorCount'],
  ['secretlint', '[].filePath', '[].messages', '[].sourceContentType'],
  ['secretlint', '[].filePath', '[].messages[].loc'],
  ['eslint', '[].filePath', '[].messages'],
  ['ast-grep', '[].ruleId', '[].range', '[].file'],
  ['ruff', '[].code', '[].location', '[].filename'],
];

const OWN_SIGNS = REPORT_FORMATS.flatMap((format) =>
  (FORMAT_DEFINITIONS[format].signs ?? []).map((signs) => [format, ...signs] as const),
);

const CONTEXT = { reportName: '', secretRules: new Set<string>(), resultCache: undefined };

/** The root elements, header rows and first lines that identify formats other than JSON. */
const XML_ROOTS = new Map<string, ReportFormat>();
const CSV_HEADERS: { format: ReportFormat; columns: readonly string[]; separator: string }[] = [];
const LINES: { format: ReportFormat; pattern: RegExp }[] = [];
const PREFIXES: RegExp[] = [];
for (const format of REPORT_FORMATS.filter((name) => name !== 'mapped')) {
  const { reader } = FORMAT_DEFINITIONS[format];
  if ('xml' in reader) for (const root of reader.xml(CONTEXT).roots) XML_ROOTS.set(root, format);
  else if ('csv' in reader) {
    const { required, separator = ',' } = reader.csv(CONTEXT);
    CSV_HEADERS.push({ format, columns: required, separator });
  } else if ('lines' in reader) LINES.push({ format, pattern: reader.lines(CONTEXT).pattern });
  else if ('json' in reader) {
    const { prefix } = reader.json(CONTEXT);
    if (prefix) PREFIXES.push(prefix);
  }
}

const MAGICS: [startHex: string, name: string][] = [
  ['504b0304', 'a zip archive'],
  ['1f8b', 'gzip inside of gzip'],
  ['fffe', 'UTF-16 text (save it as UTF-8)'],
  ['feff', 'UTF-16 text (save it as UTF-8)'],
  ['255044462d', 'a PDF'],
];

/** Detects the format from the first bytes; the file name is not considered. */
export function sniffFormat(start: Buffer): ReportFormat {
  const given = start.toString('utf8').replace(/^\uFEFF/, '');
  const prefix = PREFIXES.map((pattern) => pattern.exec(given.slice(0, 200))?.[0]).find((found) => found !== undefined);
  const text = prefix === undefined ? given : given.slice(prefix.length);
  const first = text.trimStart()[0];
  const { format, seen } =
    first === '{' || first === '[' ? sniffJson(text) : first === '<' ? sniffXml(text) : sniffText(text);
  if (format) return format;
  const magic = MAGICS.find(([hex]) => start.toString('hex', 0, 8).startsWith(hex))?.[1];
  const message = `The format is not known. Seen: ${magic ?? seen}. Accepted: ${REPORT_FORMATS.join(', ')}.`;
  throw new ReportError('UNKNOWN_FORMAT', message);
}

interface Sniffed {
  format?: ReportFormat | undefined;
  seen: string;
}

function sniffJson(text: string): Sniffed {
  const keys = memberPaths(text);
  const found = [...COMMON_SIGNS, ...OWN_SIGNS, ...WIDE_SIGNS].find(([, ...signs]) => areSeen(signs, keys));
  const shown = [...keys.keys()].filter((path) => /^(\[\]\.)?[^.]+$/.test(path) && !path.endsWith('[]')).slice(0, 8);
  // Member names are echoed to the sender, but truncated.
  const seen = `JSON with ${shown.length === 0 ? 'no members' : shown.map((path) => path.slice(0, 40)).join(', ')}`;
  return { format: found?.[0], seen };
}

function sniffXml(text: string): Sniffed {
  const root = /<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)/.exec(text)?.[1] ?? '';
  const format = XML_ROOTS.get(root);
  const isOther = format !== undefined && FORMAT_DEFINITIONS[format].startSign?.test(text) === false;
  return { format: isOther ? undefined : format, seen: `XML with the root ${root.slice(0, 40)}` };
}

const MAX_LINES = 200;

function sniffText(text: string): Sniffed {
  if (text.trim() === '') return { seen: 'nothing' };
  const lines = text.trimStart().split('\n', MAX_LINES);
  const [header = ''] = lines;
  const columnsBy = (separator: string) => header.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const isTable = ({ columns, separator }: (typeof CSV_HEADERS)[number]) =>
    columns.every((name) => columnsBy(separator).includes(name));
  const table = CSV_HEADERS.find(isTable);
  const listing = LINES.find(({ pattern }) => lines.some((line) => pattern.test(line)));
  return { format: table?.format ?? listing?.format, seen: 'text' };
}
