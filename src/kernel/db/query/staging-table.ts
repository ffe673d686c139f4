import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { ColumnType } from './copy-text.ts';

/** A table that lives as long as the transaction: rows are copied into it, and SQL takes them from there. */
export interface StagingTable {
  /** Begins with `stage_`, because a temporary table hides a lasting one of the same name. */
  table: string;
  columns: Readonly<Record<string, ColumnType>>;
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

/** What pg has inside and does not tell; a pinned version and the tests of this file keep it true. */
interface Connection extends pg.Connection {
  stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}
interface Inside extends pg.Query {
  handleCopyInResponse(connection: Connection): void;
}

const Query = pg.Query as unknown as new (text: string, values: undefined, callback: Callback) => Inside;

/** A COPY that is fed when the server asks for it; pg takes only its own kind of query on a pipelined connection. */
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

/** Makes the stage unless the transaction has it already. */
export async function createStagingTable(client: pg.ClientBase, { table, columns }: StagingTable): Promise<void> {
  const names = Object.keys(columns);
  if (!TABLE.test(table) || !names.every((name) => COLUMN.test(name)))
    throw new Error(`${table} has a name that cannot be staged.`);
  const declared = names.map((name) => `"${name}" ${columns[name]}`).join(', ');
  await client.query(`create temporary table if not exists ${table} (${declared}) on commit drop`);
}

/** Fills a stage with lines of COPY, and says how many rows came. */
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
    const state: Feeding = { isOver: false, failure: undefined, wake: () => undefined };
    const over: Callback = (error, result) => {
      state.isOver = true;
      state.wake();
      if (error) reject(state.failure ?? error);
      else resolve(result.rowCount ?? 0);
    };
    client.query(new CopyQuery(text, (connection) => void feed(connection, chunks, state), over));
  });
}

interface Feeding {
  /** The server has answered, so that nothing more is wanted. */
  isOver: boolean;
  /** Why the rows ended early: it says more than the server's answer to that. */
  failure: unknown;
  wake: () => void;
}

async function feed(
  connection: Connection,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  state: Feeding,
): Promise<void> {
  const { stream } = connection;
  try {
    for await (const chunk of chunks) {
      if (state.isOver) return;
      connection.sendCopyFromChunk(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      // Rows that are at hand would otherwise keep everybody else waiting until the last of them is sent.
      await nextTurn();
      if (stream.writableNeedDrain && !state.isOver) await drained(stream, state);
    }
    if (!state.isOver) connection.endCopyFrom();
  } catch (error) {
    state.failure = error;
    if (!state.isOver) connection.sendCopyFail('the rows ended early');
  }
}

function drained(stream: Socket, state: Feeding): Promise<void> {
  return new Promise((resolve) => {
    state.wake = () => {
      stream.off('drain', state.wake);
      resolve();
    };
    stream.once('drain', state.wake);
  });
}
