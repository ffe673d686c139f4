/** What one report may cost (UPL-02, UPL-03). */
export interface ReportLimits {
  /** Bytes after unpacking. */
  maxBytes: number;
  /** How many times larger than its packed form a report may be, once it is larger than `ratioFreeBytes`. */
  maxRatio: number;
  ratioFreeBytes: number;
  /** Levels of nesting. */
  maxDepth: number;
  /** Bytes of one result, rule or component; a larger one is left out, and a warning says so. */
  maxValueBytes: number;
}

export const DEFAULT_REPORT_LIMITS: ReportLimits = {
  maxBytes: 2 * 2 ** 30,
  maxRatio: 20,
  ratioFreeBytes: 64 * 2 ** 20,
  maxDepth: 200,
  maxValueBytes: 5 * 2 ** 20,
};
