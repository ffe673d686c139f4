import type { Tx } from './tx.ts';

/**
 * Locks a limit of a deployment until the end of the transaction, so that of concurrent writers each counts what the
 * others have committed. Unlike a row lock it needs no right to update a table.
 */
export const lockLimit = (tx: Tx, { deployment, limit }: { deployment: string; limit: string }): Promise<unknown> =>
  tx.run`select pg_advisory_xact_lock(hashtextextended(${`limit ${deployment} ${limit}`}, 0))`;
