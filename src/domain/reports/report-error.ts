export type ReportErrorCode =
  | 'UNKNOWN_FORMAT'
  | 'NOT_VALID'
  | 'TOO_LARGE'
  | 'TOO_DEEP'
  | 'NOT_UNPACKED'
  | 'TOO_SLOW'
  | 'TOO_MUCH_MEMORY'
  | 'PARSER_DIED'
  | 'STOPPED';

/** Why a report cannot be read, in a sentence for whoever sent it; it never repeats what the report holds. */
export class ReportError extends Error {
  readonly code: ReportErrorCode;
  readonly sentence: string;
  /** Where in the report, in bytes after unpacking, when that is known. */
  readonly offset: number | undefined;

  constructor(code: ReportErrorCode, sentence: string, offset?: number) {
    super(offset === undefined ? sentence : `${sentence} (byte ${offset})`);
    this.name = 'ReportProblem';
    this.code = code;
    this.sentence = sentence;
    this.offset = offset;
  }
}
