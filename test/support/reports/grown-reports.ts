import type { AdapterContext } from '#domain/reports/adapters/adapter.ts';
import type { FormatReader } from '#domain/reports/adapters/format-definition.ts';
import { FORMAT_DEFINITIONS } from '#domain/reports/formats/format-definitions.ts';
import type { ReportFormat } from '#domain/reports/shape.ts';
import { fixtureNames, itemsOfKind, parseFixture, readFixture } from './report-fixtures.ts';

/** A report in which one list of the format's fixture has any number of entries. */
export interface GrownReport {
  format: ReportFormat;
  /** The list, such as `results[].packages`. */
  list: string;
  write(count: number): string;
}

const CONTEXT: AdapterContext = { reportName: 'report', secretRules: new Set(), resultCache: undefined };
/** Makes a copy of an entry another result: other files, hosts, lines, advisories and ids. */
const varied = (text: string, index: number): string =>
  text
    .replaceAll('example.test', `h${index}.example.test`)
    .replace(/\b192\.0\.2\.\d+/g, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`)
    .replace(/\barn:aws:[\w:-]*/g, `$&${index}`)
    .replace(/("(?:test_number|resourceID)"\s*:\s*")/g, `$1${index}.`)
    .replace(/(\/repo\/|"(?:src|app|infra|deploy|lib)\/)/g, `$1d${index}/`)
    .replace(/\b(CVE-\d{4}-|GHSA-|RUSTSEC-\d{4}-|SNYK-)[\w-]*/g, `$1${1000 + index}`)
    .replace(/("\w*[lL]ine\w*"\s*:\s*|\bline="|\bbeginline=")\d+/g, `$1${index + 1}`)
    .replace(/("(?:id|\w*_id|\w*ID|fingerprint|\w*[kK]ey|\w*[hH]ash)"\s*:\s*")([^"]+)"/g, `$1$2-${index}"`);

type Json = unknown;
type Container = Json[] | Record<string, Json>;

const entriesOf = (list: Container): [string, Json][] => Object.entries(list);
const isContainer = (value: Json): value is Container => typeof value === 'object' && value !== null;

/** Lists of objects in a document, with their paths; those deep inside are lists of texts and flags. */
function listsOf(value: Json, path = '', depth = 0): { path: string; list: Container }[] {
  if (!isContainer(value) || depth > 6) return [];
  const inner = entriesOf(value).flatMap(([key, entry], index) => {
    // Entries of one list are alike: its first one is enough.
    if (Array.isArray(value) && index > 0) return [];
    return listsOf(entry, Array.isArray(value) ? `${path}[]` : `${path === '' ? '' : `${path}.`}${key}`, depth + 1);
  });
  const isList = Array.isArray(value) && value.some(isContainer);
  return isList ? [{ path, list: value }, ...inner] : inner;
}

/** Members whose values are results by name, such as `vulnerabilities.*`. */
function mapsOf(document: Json, paths: readonly string[]): { path: string; list: Container }[] {
  return paths
    .filter((path) => path.endsWith('.*'))
    .flatMap((path) => {
      const steps = path.slice(0, -2).split('.');
      let here: Json = document;
      for (const step of steps) {
        if (!isContainer(here)) return [];
        here = step === '*' ? Object.values(here)[0] : (here as Record<string, Json>)[step];
      }
      return isContainer(here) && !Array.isArray(here) && Object.keys(here).length > 0 ? [{ path, list: here }] : [];
    });
}

const MARK = '"the grown list"';

/** The document with a mark in place of a list; its other lists stay small. */
function frameOf(document: Json, list: Container): [string, string] {
  const text = JSON.stringify(document, (_, value: Json) => (value === list ? 'the grown list' : value));
  const at = text.indexOf(MARK);
  return [text.slice(0, at), text.slice(at + MARK.length)];
}

function growJson(format: ReportFormat, text: string, paths: readonly string[]): GrownReport[] {
  const start = text.search(/[[{]/);
  const document = JSON.parse(text.slice(start)) as Json;
  return [...listsOf(document), ...mapsOf(document, paths)].map(({ path, list }) => {
    const [before, after] = frameOf(document, list);
    const entries = entriesOf(list).map(([key, value]) => [key, JSON.stringify(value)] as const);
    const write = (count: number) => {
      const grown = Array.from({ length: count }, (_, index) => {
        const [key = '', entry = ''] = entries[index % entries.length] ?? [];
        return Array.isArray(list)
          ? varied(entry, index)
          : `${JSON.stringify(`${key}-${index}`)}:${varied(entry, index)}`;
      }).join();
      return `${text.slice(0, start)}${before}${Array.isArray(list) ? `[${grown}]` : `{${grown}}`}${after}`;
    };
    return { format, list: path || '[]', write };
  });
}

function growXml(format: ReportFormat, text: string, elements: readonly string[]): GrownReport[] {
  return elements.flatMap((name) => {
    const found = new RegExp(`<${name}\\s[^>]*/>|<${name}[\\s>][\\s\\S]*?</${name}>`).exec(text);
    if (!found) return [];
    const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
    const write = (count: number) =>
      before + Array.from({ length: count }, (_, index) => varied(found[0], index)).join('\n') + after;
    return [{ format, list: `<${name}>`, write }];
  });
}

/** Rows or lines: the first one stays if it is a heading. */
function growLines(format: ReportFormat, text: string, hasHeading: boolean): GrownReport[] {
  const lines = text.trimEnd().split('\n');
  const heading = hasHeading ? lines.splice(0, 1) : [];
  const write = (count: number) =>
    [...heading, ...Array.from({ length: count }, (_, index) => varied(lines[index % lines.length] ?? '', index))]
      .join('\n')
      .concat('\n');
  return [{ format, list: 'lines', write }];
}

function growReport(format: ReportFormat, text: string, reader: FormatReader): GrownReport[] {
  if ('json' in reader) return growJson(format, text, reader.json(CONTEXT).paths);
  if ('xml' in reader) {
    const { elements, starts = [] } = reader.xml(CONTEXT);
    return growXml(format, text, [...elements, ...starts]);
  }
  if ('csv' in reader) return growLines(format, text, true);
  return text.startsWith('[') ? growJson(format, text, []) : growLines(format, text, false);
}

/** Reports that grow in each list of each format that has a report in the tests. */
export async function grownReports(): Promise<GrownReport[]> {
  const grown = new Map<ReportFormat, GrownReport[]>();
  for (const name of fixtureNames()) {
    const [tool] = itemsOfKind(await parseFixture(name), 'tool');
    const format = tool?.format;
    if (format === undefined || grown.has(format)) continue;
    const [{ reader }, text] = [FORMAT_DEFINITIONS[format], readFixture(name).toString()];
    const reports = growReport(format, text, reader);
    if (reports.length > 0) grown.set(format, reports);
  }
  return [...grown.values()].flat();
}
