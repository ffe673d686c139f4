import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import {
  dumpCatalogue,
  FOREIGN_KEYS,
  type ForeignKey,
  INDEXES,
  type Index,
  TENANT_TABLES,
  withOwner,
} from '#test/support/schema/catalogue.ts';
import { SCHEMA_ORDER, schemaText } from '#test/support/schema/schema-order.ts';
import { makeDatabase, type TestDatabase } from '#test/support/world/database.ts';
import { withRoleLock } from '#test/support/world/postgres-server.ts';

/** Invariants of every table, read from the PostgreSQL catalog. */

/** Tables without row-level security. The role of the application must have no access to them. */
const WITHOUT_ROW_SECURITY: Record<string, string> = {
  account_tour: 'belongs to an account, not to a deployment; only parapet_auth reads it',
  job_schedule: 'when recurring jobs of the server ran; only parapet_background reads it',
  migration: 'the applied migrations; only the owner reads it',
  node: 'which servers are up; only parapet_background reads it',
  server_setting: 'facts about the installation; only parapet_auth and parapet_background read it',
  survey_response: 'belongs to an account, not to a deployment; only parapet_auth reads it',
};

/** Unique keys of tenant tables that do not begin with the deployment id. */
const GLOBAL_KEYS: Record<string, string> = {
  deployment_pkey: 'the deployment is the tenant itself',
  deployment_slug_key: 'slugs of deployments are unique in the whole installation (AZN-07)',
  deployment_domain__domain: 'a domain belongs to one deployment of the server (SSO-02)',
};

const ROLES = ['parapet_app', 'parapet_auth', 'parapet_background'];

let migrated: TestDatabase;
let present: TestDatabase;
let tenantTables: string[];

const ask = <Row extends object>(text: string) =>
  withOwner(migrated.connection, async (client) => (await client.query<Row>(text)).rows);

before(async () => {
  migrated = await makeDatabase();
  present = await makeDatabase({ template: 'template0' });
  const text = await schemaText();
  await withRoleLock(present.connection, () =>
    withOwner(present.connection, async (client) => void (await client.query(text))),
  );
  tenantTables = (await ask<{ name: string }>(TENANT_TABLES)).map(({ name }) => name);
});
after(async () => {
  await migrated.drop();
  await present.drop();
});

describe('the schema', () => {
  test('in the order of the rooms equals the result of all migrations', async () => {
    const [one, other] = [await dumpCatalogue(present.connection), await dumpCatalogue(migrated.connection)];
    const isOfMigration = /(^|[ .])migration(_pkey)?\b/;
    for (const [kind, lines] of Object.entries(one))
      assert.deepEqual(
        (other[kind] ?? []).filter((line) => !isOfMigration.test(line)),
        lines,
        kind,
      );
    assert.ok((one['tables'] ?? []).length > 10);
  });

  test('has every schema.sql in its order', () => {
    const files = globSync(['src/**/schema.sql', 'src/**/schema/*.sql']);
    const folders = new Set(files.map((file) => file.replace(/\/schema(\/[\w-]+)?\.sql$/, '')));
    assert.deepEqual([...folders].sort(), [...SCHEMA_ORDER].sort());
  });
});

describe('row-level security (TEN-01)', () => {
  test('is enabled and forced on every table except those with a documented reason', async () => {
    const open = await ask<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not (relrowsecurity and relforcerowsecurity) order by 1`);
    assert.deepEqual(
      open.map(({ name }) => name),
      Object.keys(WITHOUT_ROW_SECURITY),
    );
    assert.deepEqual(
      tenantTables.filter((name) => name in WITHOUT_ROW_SECURITY),
      [],
    );
  });

  test('the application has no access to tables without it', async () => {
    const grants = await ask<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity
        and (has_table_privilege('parapet_app', oid, 'select, insert, update, delete, truncate, references, trigger')
             or has_any_column_privilege('parapet_app', oid, 'select, insert, update, references'))`);
    assert.deepEqual(grants, []);
  });

  test('limits the application to its deployment on every tenant table, for reads and writes', async () => {
    const policies = await ask<{ table: string; name: string; using: string; check: string }>(`
      select tablename as "table", policyname as name, coalesce(qual, '') as "using",
             coalesce(with_check, '') as "check"
      from pg_policies where 'parapet_app' = any(roles) and permissive = 'PERMISSIVE'`);
    const bound = /^\(?(false|\(?(deployment_id|id) = \( SELECT current_deployment\(\) AS current_deployment\)\)?)\)?$/;
    for (const table of tenantTables) {
      const [policy, ...more] = policies.filter((one) => one.table === table);
      assert.ok(policy, `${table} has no policy for the application`);
      assert.deepEqual(more, [], `${table} has a second policy that could widen the first`);
      for (const condition of [policy.using, policy.check]) assert.match(condition, bound, table);
    }
  });

  test('has a policy with both conditions wherever a role may write', async () => {
    const half = await ask<{ line: string }>(`
      select tablename || '.' || policyname as line from pg_policies
      where schemaname = 'public' and cmd <> 'SELECT' and (qual is null or (with_check is null and cmd <> 'DELETE'))`);
    assert.deepEqual(half, []);
  });

  test('cannot be bypassed: the roles own nothing, are not superusers and cannot log in', async () => {
    const roles = await ask<{ rolname: string; is_mighty: boolean; owns: string; is_member_of: string }>(`
      select rolname,
        rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication or rolcanlogin as is_mighty,
        (select count(*) from pg_class where relowner = pg_roles.oid)
          + (select count(*) from pg_proc where proowner = pg_roles.oid) as owns,
        (select count(*) from pg_auth_members where member = pg_roles.oid) as is_member_of
      from pg_roles where rolname like 'parapet\\_%' order by 1`);
    assert.deepEqual(
      roles,
      ROLES.map((rolname) => ({ rolname, is_mighty: false, owns: '0', is_member_of: '0' })),
    );
  });

  test('applies to the caller: no view and no function runs with the rights of its owner', async () => {
    const views = await ask(`
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and not coalesce(reloptions @> array['security_invoker=true'], false)`);
    const functions = await ask(
      "select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef",
    );
    assert.deepEqual([...views, ...functions], []);
  });
});

describe('keys (TEN-05)', () => {
  test('of tenant tables begin with the deployment id, except those with a documented reason', async () => {
    const indexes = await ask<Index>(INDEXES);
    const loose = indexes.filter(
      ({ table, isUnique, columns }) => isUnique && tenantTables.includes(table) && columns[0] !== 'deployment_id',
    );
    assert.deepEqual(
      loose.map(({ name }) => name),
      Object.keys(GLOBAL_KEYS),
    );
  });

  test('between tenant tables begin with the deployment id on both sides', async () => {
    const keys = await ask<ForeignKey>(FOREIGN_KEYS);
    const between = keys.filter(({ table, target }) => tenantTables.includes(table) && tenantTables.includes(target));
    const wrong = between.filter(({ target, columns, targetColumns }) => {
      const first = target === 'deployment' ? 'id' : 'deployment_id';
      return columns[0] !== 'deployment_id' || targetColumns[0] !== first;
    });
    assert.deepEqual(wrong, []);
    assert.ok(between.length > 5);
  });

  test('to other tables have an index that begins with their columns', async () => {
    const indexes = await ask<Index>(INDEXES);
    const bare = (await ask<ForeignKey>(FOREIGN_KEYS)).filter(({ table, columns }) => {
      const isPrefix = (index: Index) =>
        columns.every((column) => index.columns.slice(0, columns.length).includes(column));
      return !indexes.some((index) => index.table === table && !index.isPartial && isPrefix(index));
    });
    assert.deepEqual(bare, []);
  });

  test('every tenant table has a deployment id that is not null', async () => {
    const missing = await ask(`
      select attrelid::regclass from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'deployment_id' and not attnotnull`);
    assert.deepEqual(missing, []);
  });

  test('every table has a primary key', async () => {
    const without = await ask(`
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and not exists (select from pg_constraint where conrelid = pg_class.oid and contype = 'p')`);
    assert.deepEqual(without, []);
  });
});

test('every timestamp is timestamptz(3), the precision of the API', async () => {
  const times = await ask<{ line: string }>(`
    select attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) as line
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and (format_type(atttypid, atttypmod) ~ '^(timestamp|date|time|interval)')
      and format_type(atttypid, atttypmod) <> 'timestamp(3) with time zone'`);
  assert.deepEqual(times, []);
});
