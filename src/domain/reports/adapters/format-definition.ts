import type { Severity } from '../report-items.ts';
import type { AdapterContext, CsvAdapter, JsonAdapter, JsonLinesAdapter, LineAdapter, XmlAdapter } from './adapter.ts';

/** What a result is about, which decides how it is identified. */
export type ResultKind = 'code' | 'component' | 'secret' | 'endpoint' | 'resource' | 'decision';

/** A member that must be present, or one whose text must match. */
export type FormatSign = string | readonly [path: string, text: RegExp];

/** Everything that is known about a format; its adapter is at the end. */
export interface ReportFormatDefinition {
  /** Name of the tool, until the report states it. */
  tool: string;
  /** The command, page or interface that writes the report. */
  writtenBy: string;
  /** The version of the tool or of the format that the fixture has. */
  version: string;
  /** Whether the tool itself wrote the fixture, or it was written from the documentation. */
  fixture: 'recorded' | 'written';
  reads: string;
  results: readonly ResultKind[];
  /** The tool's own id of a result, where it has one that survives changes of the code. */
  ownId?: string;
  /** What an import closes, if that is not everything that the report no longer has. */
  closes?: string;
  /** The words of the tool, in lower case; without it the usual ones. */
  severities?: Readonly<Record<string, Severity>>;
  /** Any of these, each with all of its members, identifies a JSON report. */
  signs?: readonly (readonly FormatSign[])[];
  /** Text near the start of an XML report, where other documents have the same root element. */
  startSign?: RegExp;
  reader: FormatReader;
}

export type FormatReader =
  | { json: (context: AdapterContext) => JsonAdapter }
  | { jsonLines: (context: AdapterContext) => JsonLinesAdapter }
  | { xml: (context: AdapterContext) => XmlAdapter }
  | { csv: (context: AdapterContext) => CsvAdapter }
  | { lines: (context: AdapterContext) => LineAdapter };
