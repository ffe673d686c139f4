import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { ColumnType } from './copy-text.ts';

/** A temporary table of a transaction: rows are copied into it, and SQL reads them from there. */
export interface StagingTable {
  /** Starts with `stage_`, because a temporary table hides a permanent one of the same name. */
  table: string;
  columns: Readonly<Record<string, ColumnType>>;
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

/** Internals of pg that its types do not declare; the pinned version and the tests of this file keep them valid. */
interface Connection extends pg.Connection {
  stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}
interface CopyQueryInternals extends pg.Query {
  handleCopyInResponse(connection: Connection): void;
}

const Query = pg.Query as unknown as new (text: string, values: undefined, callback: Callback) => CopyQueryInternals;

/**
 * A COPY that sends its data when the server asks for it; a pipelined connection accepts only subclasses of pg.Query.
 */
class CopyQuery extends Query {
  readonly #feed: (connection: Connection) => void;

  constructor(text: string, feed: (connection: Connection) => void, callback: Callback) {
    super(text, undefined, callback);
    this.#feed = feed;
  }

  override handleCopyInResponse(connection: Connection): void {
    this.#feed(connection);
  }
}

const TABLE = /^stage_[a-z][a-z0-9_]{0,50}$/;
const COLUMN = /^[a-z][a-z0-9_]{0,62}$/;

/** Creates the table unless the transaction has it already. */
export async function createStagingTable(client: pg.ClientBase, { table, columns }: StagingTable): Promise<void> {
  const names = Object.keys(columns);
  if (!TABLE.test(table) || !names.every((name) => COLUMN.test(name)))
    throw new Error(`${table} has an invalid name for a staging table.`);
  const declared = names.map((name) => `"${name}" ${columns[name]}`).join(', ');
  await client.query(`create temporary table if not exists ${table} (${declared}) on commit drop`);
}

/** Fills the table with COPY data; returns the number of rows. */
export function fillStagingTable(
  client: pg.ClientBase,
  { table, columns }: StagingTable,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const listed = Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');
  return copy(client, `copy ${table} (${listed}) from stdin`, chunks);
}

function copy(
  client: pg.ClientBase,
  text: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const state: CopyState = { isFinished: false, failure: undefined, wake: () => undefined };
    const finish: Callback = (error, result) => {
      state.isFinished = true;
      state.wake();
      if (error) reject(state.failure ?? error);
      else resolve(result.rowCount ?? 0);
    };
    client.query(new CopyQuery(text, (connection) => void feed(connection, chunks, state), finish));
  });
}

interface CopyState {
  /** The server has answered, so nothing more is sent. */
  isFinished: boolean;
  /** Why the source failed; the server would only report that the copy was cancelled. */
  failure: unknown;
  wake: () => void;
}

async function feed(
  connection: Connection,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  state: CopyState,
): Promise<void> {
  const { stream } = connection;
  try {
    for await (const chunk of chunks) {
      if (state.isFinished) return;
      connection.sendCopyFromChunk(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      // Yields to other requests, because rows in memory would otherwise be sent without a pause.
      await nextTurn();
      if (stream.writableNeedDrain && !state.isFinished) await drained(stream, state);
    }
    if (!state.isFinished) connection.endCopyFrom();
  } catch (error) {
    state.failure = error;
    if (!state.isFinished) connection.sendCopyFail('the source failed');
  }
}

function drained(stream: Socket, state: CopyState): Promise<void> {
  return new Promise((resolve) => {
    state.wake = () => {
      stream.off('drain', state.wake);
      resolve();
    };
    stream.once('drain', state.wake);
  });
}
