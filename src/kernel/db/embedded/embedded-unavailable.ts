/** Says to the operator, in one sentence, why the embedded PostgreSQL cannot be used and what to do. */
export class EmbeddedUnavailable extends Error {
  override readonly name: string = 'EmbeddedUnavailable';
}
