import assert from 'node:assert/strict';
import pg from 'pg';
import { listAsJson } from '#domain/teams/team-list.ts';
import { anonymousCaller, type Caller } from '#kernel/auth/caller.ts';
import { Database } from '#kernel/db/database.ts';
import type { SqlStatement } from '#kernel/db/query/sql.ts';
import { Tx } from '#kernel/db/tx.ts';
import { type Bench, type BenchOptions, type Figure, median } from './figure.ts';
import { startSlowProxy } from './slow-proxy.ts';
import { startTeamBench, type TeamBench } from './team-bench.ts';

const PAGE = 100;
const POOL = 4;
const ROUNDS = 7;
const QUERIES = 400;
const ONE_WAY_MS = 15;
const SLOW_QUERIES = 10;

/** A way to read the page; each runs with as many concurrent callers as it has sessions. */
interface Reader {
  name: string;
  read(): Promise<unknown>;
  close(): Promise<void>;
}

/** The cost of row-level security for a read: compared with none, and with sequential commands. */
export const benchRowSecurity: Bench = async (options) => {
  const place = await startTeamBench();
  try {
    return [...(await speed(place, options)), ...(await roundTrips(place, options))];
  } finally {
    await place.close();
  }
};

async function readersOf(place: TeamBench, connection: pg.ClientConfig, max: number): Promise<Reader[]> {
  const { deployment } = place;
  const statement = await listStatement(deployment, PAGE);
  return [
    plain(connection, statement, max),
    naive(connection, { statement, deployment, max }),
    ours(connection, { statement, deployment, max }),
  ];
}

/** The exact statement of the store, captured before it is sent. */
async function listStatement(deployment: string, limit: number): Promise<SqlStatement> {
  const caught: SqlStatement[] = [];
  const client = {
    query: async (statement: SqlStatement) => {
      caught.push(statement);
      return { rows: [], rowCount: 0 };
    },
  };
  const caller: Caller = {
    ...anonymousCaller,
    deployment,
    permissions: new Set(['team:manage']),
    seesEverything: true,
  };
  await listAsJson(new Tx(client as unknown as pg.ClientBase), caller, '', { after: null, limit, offset: 0 });
  const [statement] = caught;
  if (!statement) throw new Error('The store sent no statement.');
  return statement;
}

/** As owner, to whom no policy applies. */
function plain(connection: pg.ClientConfig, statement: SqlStatement, max: number): Reader {
  const pool = new pg.Pool({ ...connection, max });
  return { name: 'plain query', read: () => pool.query(statement), close: () => pool.end() };
}

interface Wanted {
  statement: SqlStatement;
  deployment: string;
  max: number;
}

function naive(connection: pg.ClientConfig, { statement, deployment, max }: Wanted): Reader {
  const pool = new pg.Pool({ ...connection, max, options: '-c role=parapet_app' });
  const read = async () => {
    const client = await pool.connect();
    await client.query('begin read only');
    await client.query("select set_config('parapet.deployment', $1, true)", [deployment]);
    const result = await client.query(statement);
    await client.query('commit');
    client.release();
    return result;
  };
  return { name: 'begin, set, select, commit', read, close: () => pool.end() };
}

/** As in requests. The statement is captured before the driver, so that all readers send the same text. */
function ours(connection: pg.ClientConfig, { statement, deployment, max }: Wanted): Reader {
  const db = new Database({ connection, poolMax: max, onError: () => undefined });
  const parts = statement.text.split(/\$\d+/);
  const strings = Object.assign(parts, { raw: parts });
  const read = () =>
    db.transaction({ role: 'app', deployment, isRead: true }, (tx) => tx.rows(strings, ...statement.values));
  return { name: 'scope and select in one message', read, close: () => db.close() };
}

async function speed(place: TeamBench, { scale, say }: BenchOptions): Promise<Figure[]> {
  const readers = await readersOf(place, place.connection, POOL);
  const rates = new Map<string, number[]>(readers.map(({ name }) => [name, []]));
  for (const reader of readers) await rateOf(reader, QUERIES / 4);
  for (let round = 1; round <= ROUNDS; round++)
    for (const reader of readers) rates.get(reader.name)?.push(await rateOf(reader, Math.ceil(QUERIES * scale)));
  for (const reader of readers) await reader.close();
  const [floor = [], ...others] = [...rates.values()];
  const [, ...names] = readers.map(({ name }) => name);
  say(`plain ${median(floor).toFixed(0)}/s`);
  return others.map((own, index) => ({
    name: `read with row-level security: ${names[index]}`,
    value: median(own),
    unit: '/s',
    floor: { name: 'plain query', value: median(floor) },
    ratio: median(own.map((rate, round) => rate / (floor[round] ?? Number.NaN))),
  }));
}

async function rateOf({ read }: Reader, queries: number): Promise<number> {
  const start = performance.now();
  let left = queries;
  await Promise.all(
    Array.from({ length: POOL }, async () => {
      while (left-- > 0) await read();
    }),
  );
  return (queries * 1000) / (performance.now() - start);
}

/** On a slow connection the duration of a read is that of its round trips. */
async function roundTrips(place: TeamBench, { scale }: BenchOptions): Promise<Figure[]> {
  const link = await startSlowProxy(place.connection, ONE_WAY_MS);
  const figures: Figure[] = [];
  for (const reader of await readersOf(place, link.connection, 1)) {
    await reader.read();
    await reader.read();
    const times: number[] = [];
    for (let count = 0; count < Math.max(3, SLOW_QUERIES * scale); count++) {
      const start = performance.now();
      await reader.read();
      times.push(performance.now() - start);
    }
    const trips = Math.floor(Math.min(...times) / (2 * ONE_WAY_MS));
    const isOurs = reader.name.startsWith('scope');
    figures.push({
      name: `round trips of a read: ${reader.name}`,
      value: trips,
      unit: '',
      ...(isOurs ? { want: { atMost: 1 } } : {}),
    });
    await reader.close();
  }
  link.stop();
  assert.ok(figures.length > 0);
  return figures;
}
