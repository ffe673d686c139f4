/** Resource limits of one report (UPL-02, UPL-03). */
export interface ReportLimits {
  /** After decompression. */
  maxBytes: number;
  /** Maximum compression ratio, once the report is larger than `ratioFreeBytes`. */
  maxRatio: number;
  ratioFreeBytes: number;
  /** Nesting levels. */
  maxDepth: number;
  /** Size of one result, rule or component; larger ones are omitted with a warning. */
  maxValueBytes: number;
}

export const DEFAULT_REPORT_LIMITS: ReportLimits = {
  maxBytes: 2 * 2 ** 30,
  maxRatio: 20,
  ratioFreeBytes: 64 * 2 ** 20,
  maxDepth: 200,
  maxValueBytes: 5 * 2 ** 20,
};
