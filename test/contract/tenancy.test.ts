import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import * as projects from '#domain/projects/store.ts';
import * as scans from '#domain/scans/store.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { FOREIGN_KEYS, type ForeignKey, TENANT_TABLES, withOwner } from '#test/support/schema/catalogue.ts';
import { columnsOf, insertStatement, statementOutcome } from '#test/support/schema/generated-rows.ts';
import { tableChecksums } from '#test/support/schema/table-checksums.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

/** Row-level security: what the role of the application can read and write, table by table. */

const DENIED = /^42501 /;
const ABSENT = '999999999';

const NOUNS = [
  'Team',
  'Token',
  'User',
  'PartnerCredential',
  'SsoProvider',
  'ExternalTicket',
  'SlackChannelMapping',
  'ScmConfig',
];

let world: World;
let mine: TestDeployment;
let theirs: TestDeployment;
let tables: string[];

before(async () => {
  world = await World.start({ PARAPET_DATABASE_POOL: '5' });
  [mine, theirs] = [await world.deployment(), await world.deployment()];
  for (const place of [mine, theirs]) {
    const project = { deployment: place.id, id: await makeObject({ world, place }, 'Project') };
    await world.inDeployment(place, (tx) => projects.addTags(tx, project, [`tagged in ${place.id}`]));
    await world.inDeployment(place, (tx) => scans.recordRef(tx, project, { name: 'main', kind: 'branch' }));
    for (const noun of NOUNS) await makeObject({ world, place }, noun);
  }
  tables = (await world.queryAsOwner<{ name: string }>(TENANT_TABLES)).map(({ name }) => name);
  await withOwner(world.database.connection, fillEmptyTables);
});
after(() => world.stop());

/** Every table needs rows of both deployments; otherwise an empty result would prove nothing. */
async function fillEmptyTables(owner: pg.Client): Promise<void> {
  await owner.query('set session_replication_role = replica');
  for (const table of tables.filter((name) => name !== 'deployment')) {
    const columns = await columnsOf(owner, table);
    for (const { id } of [mine, theirs]) {
      const { rowCount } = await owner.query(`select from ${table} where deployment_id = $1 limit 1`, [id]);
      if (rowCount === 0) await owner.query(insertStatement(table, columns, id));
    }
  }
}

/**
 * Works under the role of the application in a transaction that is rolled back. The tenant is set from the given text.
 */
async function asApp<Result>(
  tenant: string | undefined,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(world.database.connection);
  await client.connect();
  try {
    await client.query('begin; set local role parapet_app');
    if (tenant !== undefined) await client.query("select set_config('parapet.deployment', $1, true)", [tenant]);
    return await work(client);
  } finally {
    await client.end();
  }
}

const tenantColumn = (table: string) => (table === 'deployment' ? 'id' : 'deployment_id');

/** A column that the role may write, so that the policy is tested and not a missing grant. */
async function writableColumn(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     and attidentity = '' order by has_column_privilege($1, attnum, 'update') desc, attnum limit 1`,
    [table],
  );
  return rows[0]?.name ?? '';
}

/** Tries to select, update, delete and insert rows of a deployment, and returns what succeeded. */
async function reached(tenant: string | undefined, table: string, victim: string): Promise<string[]> {
  return asApp(tenant, async (client) => {
    const where = `where ${tenantColumn(table)} = ${victim}`;
    const column = await writableColumn(client, table);
    const columns = await columnsOf(client, table);
    const attempts: [what: string, statement: string][] = [
      ['reads', `select from ${table} ${where}`],
      ['changes', `update ${table} set ${column} = ${column} ${where}`],
      ['removes', `delete from ${table} ${where}`],
    ];
    const done: string[] = [];
    for (const [what, statement] of attempts) {
      const outcome = await statementOutcome(client, statement);
      if (outcome !== 0 && !DENIED.test(String(outcome))) done.push(`${what} ${table}: ${outcome}`);
    }
    const added = await statementOutcome(client, insertStatement(table, columns, victim));
    if (!DENIED.test(String(added))) done.push(`adds to ${table}: ${added}`);
    return done;
  });
}

describe('the application', () => {
  test('without a tenant reads and writes no row, in any table (TEN-03)', async () => {
    for (const tenant of [undefined, ''])
      for (const table of tables) assert.deepEqual(await reached(tenant, table, mine.id), [], `tenant "${tenant}"`);
  });

  test('with a tenant reads and writes no row of another, in any table (TEN-03)', async () => {
    for (const table of tables) assert.deepEqual(await reached(mine.id, table, theirs.id), []);
  });

  test('with a tenant reads its own rows, so the attempts above could have succeeded (TEN-03)', async () => {
    const hidden = new Set(['audit_unsealed']);
    for (const table of tables.filter((name) => !hidden.has(name))) {
      const rows = await asApp(mine.id, async (client) => {
        const { rows: seen } = await client.query<{ tenant: string }>(
          `select distinct ${tenantColumn(table)} as tenant from ${table}`,
        );
        return seen.map(({ tenant }) => tenant);
      });
      assert.deepEqual(rows, [mine.id], table);
    }
  });

  test('gets an error and no rows if the tenant is not a number (TEN-03)', async () => {
    await assert.rejects(
      asApp('1 or 1=1', (client) => client.query('select from team')),
      { code: '22P02' },
    );
  });

  test('sees only accounts with a membership in its deployment', async () => {
    const seen = await asApp(
      mine.id,
      async (client) => (await client.query<{ id: string }>('select id from account')).rows,
    );
    assert.ok(seen.some(({ id }) => id === mine.admin.id));
    assert.equal(
      seen.some(({ id }) => id === theirs.admin.id),
      false,
    );
  });
});

describe('foreign keys', () => {
  /** Points each foreign key of a row to a row of another deployment. The check of PostgreSQL ignores policies. */
  async function attack(key: ForeignKey, target: string): Promise<(number | string)[]> {
    const [column = ''] = key.columns.slice(1);
    const columns = await withOwner(world.database.connection, (owner) => columnsOf(owner, key.table));
    const others = columns.filter(({ name }) => name !== column && name !== 'id');
    const fresh = others.map(({ name, type, allowed }) =>
      type === 'text' && allowed === null && !key.columns.includes(name) ? `${name} || ' again'` : name,
    );
    const names = others.map(({ name }) => name).join(', ');
    return asApp(mine.id, async (client) => [
      await statementOutcome(
        client,
        `update ${key.table} set ${column} = $1 where ctid = (select ctid from ${key.table} limit 1)`,
        [target],
      ),
      await statementOutcome(
        client,
        `insert into ${key.table} (${names}, ${column}) select ${fresh.join(', ')}, $1 from ${key.table} limit 1`,
        [target],
      ),
    ]);
  }

  test('to rows of another deployment fail with the same error as those to missing rows (TEN-05)', async () => {
    const keys = (await world.queryAsOwner<ForeignKey>(FOREIGN_KEYS)).filter(
      ({ table, target, columns }) => tables.includes(table) && tables.includes(target) && columns.length > 1,
    );
    assert.ok(keys.some(({ table }) => table === 'team_project'));
    for (const key of keys) {
      const [, targetColumn = ''] = key.targetColumns;
      const [foreign] = await world.queryAsOwner<{ id: string }>(
        `select ${targetColumn} as id from ${key.target} where deployment_id = $1 and ${targetColumn} not in
           (select ${targetColumn} from ${key.target} where deployment_id = $2) limit 1`,
        [theirs.id, mine.id],
      );
      assert.ok(foreign, `${key.target} has no row of another deployment`);
      const [found, missing] = [await attack(key, foreign.id), await attack(key, ABSENT)];
      const [updated, inserted] = found;
      assert.match(String(updated), /^(23503|42501) /, key.name);
      // The copy of a row may violate a unique key before the foreign key is checked.
      assert.match(String(inserted), /^(23503|23505|42501) /, key.name);
      assert.deepEqual(found, missing, key.name);
    }
  });

  test('a repository of another deployment cannot be added to a team (section 0, item 2)', async () => {
    const team = await makeObject({ world, place: mine }, 'Team');
    const project = await makeObject({ world, place: theirs }, 'Project');
    const before = await tableChecksums(world);
    for (const deployment of [mine.id, theirs.id])
      await assert.rejects(
        world.inDeployment(
          mine,
          (tx) => tx.run`
          insert into team_project (deployment_id, team_id, project_id) values (${deployment}, ${team}, ${project})`,
        ),
        { code: deployment === mine.id ? '23503' : '42501' },
      );
    assert.deepEqual(await tableChecksums(world), before);
  });
});

describe('connections shared by many deployments', () => {
  const READS = 3000;
  const TENANTS = 24;
  const AT_ONCE = 20;

  test('never carry a tenant from one transaction to the next (TEN-04)', async () => {
    const places = await Promise.all(Array.from({ length: TENANTS }, () => world.deployment()));
    for (const place of places) await world.project(place, `tag of ${place.id}`);
    const { db } = world.assembly;
    const names = (deployment: string | undefined) =>
      db.transaction(
        { role: 'app', isRead: true, ...(deployment === undefined ? {} : { deployment }) },
        (tx) => tx.rows`
        select deployment_id, name, current_deployment() as tenant from project`,
      );
    let wrong = 0;
    const turn = async (index: number) => {
      const place = places[(index * 7) % TENANTS];
      if (index % 10 === 3) {
        // A failed transaction must leave nothing behind either.
        const broken = db.transaction(
          { role: 'app', deployment: place?.id ?? '', isRead: false },
          (tx) => tx.rows`select 1 / 0`,
        );
        await assert.rejects(broken, { code: '22012' });
      } else if (index % 10 === 6) {
        if ((await names(undefined)).length !== 0) wrong += 1;
      } else {
        const expected = [{ deployment_id: place?.id, name: `tag of ${place?.id}`, tenant: place?.id }];
        if (JSON.stringify(await names(place?.id)) !== JSON.stringify(expected)) wrong += 1;
      }
    };
    for (let start = 0; start < READS; start += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => turn(start + offset)));
    assert.equal(wrong, 0);
  });
});
