import { OperatorError } from '#kernel/errors/operator-error.ts';

/** Tells the operator why the embedded PostgreSQL cannot be used, and what to do. */
export class EmbeddedUnavailable extends OperatorError {
  override readonly name: string = 'EmbeddedUnavailable';
  override readonly exitCode: number = 5;
}
