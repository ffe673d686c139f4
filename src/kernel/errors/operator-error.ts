/** A failure that the operator of the server can fix: the command line prints its message without a stack. */
export class OperatorError extends Error {
  /** The exit code of the process. */
  readonly exitCode: number = 1;
}
