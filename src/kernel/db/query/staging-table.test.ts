import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { fault, Outage } from '#kernel/contract/fault.ts';
import { waitUntil } from '#test/support/wait.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { startStallingProxy } from '#test/support/world/stalling-proxy.ts';
import { Database } from '../database.ts';
import type { Tx } from '../tx.ts';
import type { CopyRow } from './copy-text.ts';
import type { StagingTable } from './staging-table.ts';

let kernel: KernelDatabase;
let db: Database;

before(async () => {
  kernel = await startKernelDatabase();
  // One session, so that the state of a failed copy would affect the next one.
  db = new Database({ connection: kernel.connection, poolMax: 1, onError: () => undefined });
  const owner = await kernel.superuser();
  await owner.query(`
    create table thing (deployment_id bigint not null, name text not null);
    alter table thing enable row level security;
    create policy tenant on thing to parapet_app
      using (deployment_id = (select current_deployment()))
      with check (deployment_id = (select current_deployment()));
    grant select, insert on thing to parapet_app`);
});
after(async () => {
  await db.close();
  await kernel.stop();
});

const write = <Result>(work: (tx: Tx) => Promise<Result>, isLong = false) =>
  db.transaction({ role: 'app', deployment: '1', isRead: false, isLong }, work);

const mixed: StagingTable = {
  table: 'stage_mixed',
  columns: {
    place: 'integer',
    words: 'text',
    flag: 'boolean',
    big: 'bigint',
    real: 'double precision',
    at: 'timestamptz',
    tags: 'text[]',
    ids: 'bigint[]',
    facts: 'jsonb',
  },
};

const names: StagingTable = { table: 'stage_name', columns: { name: 'text' } };

/** PostgreSQL cannot store NUL, and a lone surrogate is not valid text. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('\\N', '\\.', '', '\\', '\t\n\r\\', '{}', 'NULL', '"'),
  )
  .map((text) => text.replaceAll('\0', ''));
/** V8 has a bug with keys that start with an escape, so keys have no escapes. */
const anyKey = anyText.map((text) => text.replace(/[\\"\p{Cc}]/gu, '.'));
const anyRow = fc.tuple(
  fc.option(anyText),
  fc.option(fc.boolean()),
  fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.option(fc.double({ noDefaultInfinity: true, noNaN: true })),
  fc.option(fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })),
  fc.option(fc.array(fc.option(anyText))),
  fc.option(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))),
  fc.option(
    fc.oneof(anyText, fc.array(anyText), fc.dictionary(anyKey, fc.oneof(anyText, fc.boolean(), fc.constant(null)))),
  ),
);

describe('copied rows', () => {
  test('are read back unchanged, whatever they contain', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 40 }), async (rows) => {
        const found = await write(async (tx) => {
          assert.equal(
            await tx.copy(
              mixed,
              rows.map((row, place): CopyRow => [place, ...row]),
            ),
            rows.length,
          );
          return tx.rows`select * from stage_mixed order by place`;
        });
        const expected = rows.map(([words, flag, big, real, at, tags, ids, facts], place) => ({
          ...{ place, words, flag, real, tags, facts },
          big: big === null ? null : String(big),
          at: at === null ? null : at.getTime(),
          ids: ids === null ? null : ids.map(String),
        }));
        const read = found.map((row) => ({ ...row, at: row['at'] === null ? null : Date.parse(String(row['at'])) }));
        // Minus zero equals zero in JSON and in comparisons, and a prototype is not a member.
        assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 60 },
    ));

  test('reach a table with row-level security through SQL, and only that of the deployment (TEN-01)', async () => {
    await write(async (tx) => {
      await tx.copy(names, [['one'], ['two']]);
      assert.equal(await tx.run`insert into thing select 1, name from stage_name`, 2);
    });
    const smuggled = write(async (tx) => {
      await tx.copy(names, [['three']]);
      await tx.run`insert into thing select 2, name from stage_name`;
    });
    await assert.rejects(smuggled, { code: '42501' });
  });

  test('of two copies in one transaction add up, and the next transaction does not see them', async () => {
    for (const _ of [1, 2])
      await write(async (tx) => {
        await tx.copy(names, [['one']]);
        await tx.copy(names, [['two'], ['three']]);
        assert.deepEqual(await tx.rows`select count(*) from stage_name`, [{ count: '3' }]);
      });
    await assert.rejects(
      write((tx) => tx.rows`select from stage_name`),
      /does not exist/,
    );
  });

  test('may be empty', async () => {
    assert.equal(await write((tx) => tx.copy(names, [])), 0);
  });
});

describe('a copy that fails', () => {
  const NO_GOOD = fault('NO_GOOD', 400, 'These rows are no good.');

  const isUnharmed = async () => assert.equal(await write((tx) => tx.copy(names, [['after']])), 1);

  test('because its source fails, reports that error and leaves the session usable', async () => {
    async function* rows() {
      for (let count = 0; count < 20_000; count++) yield ['a row of some length that fills a chunk or two'];
      await sleep(1);
      throw NO_GOOD();
    }
    await assert.rejects(
      write((tx) => tx.copy(names, rows())),
      { message: 'These rows are no good.' },
    );
    await isUnharmed();
  });

  test('because the server refuses a row, reads no more rows', async () => {
    let given = 0;
    let isEnded = false;
    async function* rows() {
      try {
        yield ['not a number'];
        for (; given < 1_000_000; given++) yield [1];
      } finally {
        isEnded = true;
      }
    }
    const stage: StagingTable = { table: 'stage_number', columns: { number: 'integer' } };
    await assert.rejects(
      write((tx) => tx.copy(stage, rows())),
      { code: '22P02' },
    );
    await waitUntil(() => isEnded);
    assert.ok(given < 1_000_000, `${given} rows were taken`);
    await isUnharmed();
  });

  test('because a row has the wrong number of values, reports it', async () => {
    await assert.rejects(
      write((tx) => tx.copy(names, [['one', 'two']])),
      /2 of 1 columns/,
    );
    await isUnharmed();
  });

  test('because its session is lost, ends although rows are waiting', async () => {
    const owner = await kernel.superuser();
    const lose = async (tx: Tx) => {
      const [row] = await tx.rows`select pg_backend_pid() as pid`;
      async function* rows() {
        for (let count = 0; ; count++) {
          if (count === 100) await owner.query('select pg_terminate_backend($1)', [row?.['pid']]);
          yield ['x'.repeat(10_000)];
        }
      }
      await tx.copy(names, rows());
    };
    await assert.rejects(write(lose), (error) => error instanceof Outage);
    await isUnharmed();
  });
});

describe('a transaction that copies', () => {
  test('refuses other statements instead of mixing them into the data', async () => {
    const mixing = write(async (tx) => {
      async function* rows() {
        yield ['one'];
        await tx.rows`select 1`;
      }
      await tx.copy(names, rows());
    });
    await assert.rejects(mixing, /copies rows/);
  });

  test('is not a read', async () => {
    const reading = db.transaction({ role: 'app', deployment: '1', isRead: true }, (tx) => tx.copy(names, []));
    await assert.rejects(reading, /needs a write transaction/);
  });

  test('refuses names that could hide a table or inject SQL', async () => {
    for (const table of ['thing', 'stage_', 'stage_x; drop table thing', 'Stage_x', 'stage_"x'])
      await assert.rejects(
        write((tx) => tx.copy({ table, columns: { name: 'text' } }, [])),
        /invalid name/,
      );
    const columns = { 'name" text); drop table thing; --': 'text' } as const;
    await assert.rejects(
      write((tx) => tx.copy({ table: 'stage_x', columns }, [])),
      /invalid name/,
    );
  });

  test('reads its rows only as fast as the server accepts them', async () => {
    const slow = await startStallingProxy(kernel.connection);
    const far = new Database({ connection: slow.connection, poolMax: 1, onError: () => undefined });
    let given = 0;
    function* rows() {
      for (; given < 5000; given++) yield ['x'.repeat(10_000)];
    }
    try {
      const copied = await far.transaction({ role: 'app', deployment: '1', isRead: false }, async (tx) => {
        await tx.rows`select 1`;
        slow.stand();
        const copying = tx.copy(names, rows());
        await sleep(100);
        assert.ok(given < 1000, `${given} rows were taken while the server took none`);
        slow.goOn();
        return copying;
      });
      assert.equal(copied, 5000);
    } finally {
      await far.close();
      slow.close();
    }
  });
});

describe('a long transaction', () => {
  const limits = (isLong: boolean) =>
    write(
      (tx) => tx.rows`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
               current_setting('idle_in_transaction_session_timeout') as idle, current_deployment() as deployment`,
      isLong,
    );

  test('has a timeout of minutes, and the next transaction the usual seconds', async () => {
    assert.deepEqual(await limits(true), [{ statement: '10min', lock: '1min', idle: '5min', deployment: '1' }]);
    assert.deepEqual(await limits(false), [{ statement: '10s', lock: '8s', idle: '30s', deployment: '1' }]);
  });

  test('waits for a slot, so that most connections stay free', async () => {
    const shared = new Database({ connection: kernel.connection, poolMax: 4, onError: () => undefined });
    const write = (isLong: boolean, work: (tx: Tx) => Promise<unknown>) =>
      shared.transaction({ role: 'app', deployment: '1', isRead: false, isLong }, work);
    let [running, most] = [0, 0];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const imports = Array.from({ length: 8 }, () =>
      write(true, async () => {
        most = Math.max(most, ++running);
        await released;
        running -= 1;
      }),
    );
    try {
      await Promise.all(Array.from({ length: 20 }, () => write(false, (tx) => tx.rows`select 1`)));
      assert.equal(running, 1);
    } finally {
      release();
      await Promise.all(imports);
      await shared.close();
    }
    assert.equal(most, 1);
  });

  test('is not retried, because its rows can be read only once', async () => {
    let attempts = 0;
    const failing = write(async (tx) => {
      attempts += 1;
      await tx.rows`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`;
    }, true);
    await assert.rejects(failing, (error) => error instanceof Outage);
    assert.equal(attempts, 1);
  });
});
