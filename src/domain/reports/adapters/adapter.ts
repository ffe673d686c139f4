import type { ResultCache } from '../identity/result-cache.ts';
import type { JsonPart } from '../json/json-scanner.ts';
import type { ReportItem } from '../report-items.ts';
import type { XmlElement } from '../xml/xml-element-reader.ts';

/** What an adapter may know besides the report itself. */
export interface AdapterContext {
  /** What the report is called; stands for the place of dependencies whose bill of materials names none. */
  reportName: string;
  /** Rules that are known to be about secrets although the report may say so only after their results. */
  secretRules: ReadonlySet<string>;
  /** What results said when they were read before; none where nobody wants to know. */
  resultCache: ResultCache | undefined;
}

/** Turns what was cut out of one report into what it says; made anew for each report. */
export interface JsonAdapter {
  /**
   * Paths of which one must be there: a list (`runs$`, or `$` for the document itself) or a text. Without this, a file
   * of another kind would pass for a scan that found nothing, which closes everything.
   */
  required: readonly string[];
  paths: readonly string[];
  /** Those of them that it wants unread, because it may know what they say. */
  unread?: readonly string[];
  take(part: JsonPart): Iterable<ReportItem>;
  finish?(): Iterable<ReportItem>;
}

export interface XmlAdapter {
  /** The name of the outermost element. */
  root: string;
  /** Names of elements that are handed over whole, with all they hold. */
  elements: readonly string[];
  /** Names of elements of which the start alone is wanted. */
  starts?: readonly string[];
  take(element: XmlElement): Iterable<ReportItem>;
  finish?(): Iterable<ReportItem>;
}

export interface CsvAdapter {
  /** Columns that must be there. */
  required: readonly string[];
  take(row: Record<string, string>): Iterable<ReportItem>;
}
