import type { ResultCache } from '../identity/result-cache.ts';
import type { JsonPart } from '../json/json-scanner.ts';
import type { LooseObject } from '../json/loose-values.ts';
import type { ReportItem } from '../report-items.ts';
import type { XmlElement } from '../xml/xml-element-reader.ts';

/** Context of an adapter besides the report itself. */
export interface AdapterContext {
  /** The report's name; used as the path of dependencies if a bill of materials has none. */
  reportName: string;
  /** Rules known to detect secrets, even if the report says so only after their results. */
  secretRules: ReadonlySet<string>;
  /** Results of earlier reads; undefined if caching is disabled. */
  resultCache: ResultCache | undefined;
}

/** Converts the extracted parts of one JSON report to items; created for each report. */
export interface JsonAdapter {
  /**
   * Paths of which at least one must be present: a list (`runs$`, or `$` for the document itself), an object
   * (`data{}`), a number (`total#`) or a string. Without this check, an unrelated file would count as a scan without
   * findings, which closes everything.
   */
  required: readonly string[];
  paths: readonly string[];
  /** Paths whose values are passed unparsed, because the adapter may have them cached. */
  unread?: readonly string[];
  /** Text before the JSON, for a report that is a script. */
  prefix?: RegExp;
  take(part: JsonPart): Iterable<ReportItem>;
  finish?(): Iterable<ReportItem>;
}

/** For reports with one JSON object per result: one after the other, or in a list. */
export interface JsonLinesAdapter {
  /** At least one object must have one of these members. */
  members: readonly string[];
  /** The tool writes no object, or an empty list, if there are no results. */
  canBeEmpty?: boolean;
  take(value: LooseObject): Iterable<ReportItem>;
  finish?(): Iterable<ReportItem>;
}

export interface XmlAdapter {
  /** Names that the root element can have. */
  roots: readonly string[];
  /** The tool writes a document type declaration; entities are rejected in any case. */
  hasDoctype?: boolean;
  /** Elements that are passed whole, with their children. */
  elements: readonly string[];
  /** Elements of which only the start tag is passed. */
  starts?: readonly string[];
  take(element: XmlElement): Iterable<ReportItem>;
  finish?(): Iterable<ReportItem>;
}

export interface CsvAdapter {
  /** Required columns. */
  required: readonly string[];
  /** Between the fields of a row; a comma if absent. */
  separator?: string;
  take(row: Record<string, string>): Iterable<ReportItem>;
  finish?(): Iterable<ReportItem>;
}

/** For reports that are plain text. */
export interface LineAdapter {
  /** A line that every report has; without one the text is something else. */
  pattern: RegExp;
  take(line: string): Iterable<ReportItem>;
  finish?(): Iterable<ReportItem>;
}
