import type { FieldError } from '#kernel/contract/fault.ts';

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

/** Why a report cannot be read, as a sentence for the sender; it never quotes the report. */
export class ReportError extends Error {
  readonly code: ReportErrorCode;
  readonly sentence: string;
  /** Byte offset after decompression, if known. */
  readonly offset: number | undefined;

  constructor(code: ReportErrorCode, sentence: string, offset?: number) {
    super(offset === undefined ? sentence : `${sentence} (byte ${offset})`);
    this.name = 'ReportProblem';
    this.code = code;
    this.sentence = sentence;
    this.offset = offset;
  }
}

/** The error of the body as a whole, for the list of errors in a reply. */
export const fieldErrorOf = ({ code, message }: ReportError): FieldError => ({ pointer: '#', code, detail: message });
