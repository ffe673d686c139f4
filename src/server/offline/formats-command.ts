import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { FORMAT_DEFINITIONS } from '#domain/reports/formats/format-definitions.ts';
import { readReport } from '#domain/reports/formats/read-report.ts';
import { listMappings, MappingError, parseMapping } from '#domain/reports/mapping/read-mapping.ts';
import { ReportError } from '#domain/reports/report-error.ts';
import type { ReportItem } from '#domain/reports/report-items.ts';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';
import { readConfig } from '#kernel/config/config.ts';

const SHOWN_RESULTS = 10;
const USAGE = 'Usage: parapet formats list, or parapet formats try REPORT [MAPPING].';

/** `parapet formats`: what can be read, and how one report is read. */
export async function formats(words: readonly string[]): Promise<void> {
  const [action, report, mapping, ...rest] = words;
  if (action === 'list' && report === undefined) return list();
  if (action === 'try' && report !== undefined && rest.length === 0) return tryReport(report, mapping);
  fail(USAGE, 2);
}

const print = (line: string) => process.stdout.write(`${line}\n`);

async function list(): Promise<void> {
  const width = Math.max(...REPORT_FORMATS.map((name) => name.length));
  for (const name of REPORT_FORMATS) print(`${name.padEnd(width)}  ${FORMAT_DEFINITIONS[name].writtenBy}`);
  const { formatsDir } = readConfig();
  for (const name of await listMappings(formatsDir)) print(`${'mapped'.padEnd(width)}  ${name}, in ${formatsDir}`);
}

function fail(sentence: string, exitCode: number): void {
  process.stderr.write(`parapet formats: ${sentence}\n`);
  process.exitCode = exitCode;
}

async function tryReport(report: string, mappingFile: string | undefined): Promise<void> {
  try {
    const mapping = mappingFile === undefined ? undefined : parseMapping(await readFile(mappingFile, 'utf8'));
    const source = createReadStream(report) as AsyncIterable<Buffer>;
    const preview = new ReportPreview();
    for await (const item of readReport(source, mapping ? { mapping } : {})) preview.add(item);
    for (const line of preview.lines()) print(line);
  } catch (error) {
    if (error instanceof MappingError) fail(`${mappingFile} cannot be used: ${error.message}`, 2);
    else if (error instanceof ReportError) fail(`${report} cannot be read: ${error.message}`, 1);
    else if (error instanceof Error && 'path' in error) fail(`${error.path} cannot be opened.`, 2);
    else throw error;
  }
}

/** Counts of what an import would see, and the first results. */
class ReportPreview {
  readonly #counts = new Map<string, number>();
  readonly #severities = new Map<string, number>();
  readonly #first: string[] = [];
  readonly #warnings: string[] = [];
  #tool = '';
  #format = '';

  add(item: ReportItem): void {
    this.#counts.set(item.kind, (this.#counts.get(item.kind) ?? 0) + 1);
    if (item.kind === 'tool') {
      this.#tool = [item.name, item.version].filter(Boolean).join(' ');
      this.#format = item.format ?? this.#format;
    } else if (item.kind === 'warning') this.#warnings.push(item.message);
    else if (item.kind === 'finding') {
      const severity = item.severity ?? 'no severity';
      this.#severities.set(severity, (this.#severities.get(severity) ?? 0) + 1);
      const at = item.region.line > 0 ? `${item.path}:${item.region.line}` : item.path || 'no place';
      const message = item.message.split('\n', 1)[0]?.slice(0, 80) ?? '';
      if (this.#first.length < SHOWN_RESULTS) this.#first.push(`  ${severity}  ${item.rule}  ${at}  ${message}`);
    }
  }

  *lines(): Iterable<string> {
    const by = [...this.#severities].map(([severity, count]) => `${count} ${severity}`).join(', ');
    const findings = this.#counts.get('finding') ?? 0;
    yield `Tool: ${this.#tool} (${this.#format})`;
    yield `Findings: ${findings}${by === '' ? '' : ` (${by})`}`;
    yield `Dependencies: ${this.#counts.get('dependency') ?? 0}, decisions: ${this.#counts.get('decision') ?? 0}`;
    if (this.#first.length > 0) yield `First results:\n${this.#first.join('\n')}`;
    for (const warning of this.#warnings) yield `Warning: ${warning}`;
  }
}
