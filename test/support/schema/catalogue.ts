import pg from 'pg';

/** The objects of a database from the PostgreSQL catalog: one sorted list of lines for each kind of object. */
export type CatalogueDump = Record<string, string[]>;

const HERE = "'public'::regnamespace";

/** Each query has one column named line. Columns are sorted by name, because migrations append them. */
const QUESTIONS: Record<string, string> = {
  tables: `
    select format('%s %s row security %s forced %s owner %s', relkind, relname, relrowsecurity, relforcerowsecurity,
                  pg_get_userbyid(relowner)) as line
    from pg_class where relnamespace = ${HERE} and relkind in ('r', 'p', 'v', 'm', 'f')`,
  columns: `
    select format('%s.%s %s%s default %s identity "%s" generated "%s" collation %s', relname, attname,
                  format_type(atttypid, atttypmod), case when attnotnull then ' not null' end,
                  coalesce(pg_get_expr(adbin, adrelid), 'none'), attidentity, attgenerated,
                  attcollation::regcollation) as line
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = ${HERE} and relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped`,
  constraints: `
    select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
    from pg_constraint where connamespace = ${HERE}`,
  indexes: `
    select pg_get_indexdef(indexrelid) as line
    from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = ${HERE}`,
  policies: `
    select format('%s %s %s %s to %s using %s with check %s', tablename, policyname, permissive, cmd, roles, qual,
                  with_check) as line
    from pg_policies where schemaname = 'public'`,
  tableGrants: `
    select format('%s %s to %s', relname, privilege_type, grantee::regrole) as line
    from pg_class, aclexplode(relacl) where relnamespace = ${HERE} and grantee <> 0
    union all
    select format('%s %s to public', relname, privilege_type)
    from pg_class, aclexplode(relacl) where relnamespace = ${HERE} and grantee = 0`,
  columnGrants: `
    select format('%s.%s %s to %s', relname, attname, privilege_type, grantee::regrole) as line
    from pg_attribute join pg_class on pg_class.oid = attrelid, aclexplode(attacl) where relnamespace = ${HERE}`,
  schemaGrants: `
    select format('%s %s to %s', nspname, privilege_type, grantee::regrole) as line
    from pg_namespace, aclexplode(nspacl) where nspname = 'public'`,
  functions: `select pg_get_functiondef(oid) as line from pg_proc where pronamespace = ${HERE}`,
  triggers: `
    select pg_get_triggerdef(pg_trigger.oid) as line
    from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = ${HERE} and not tgisinternal`,
  sequences: `
    select format('%s %s from %s to %s start %s by %s cache %s cycle %s', seqrelid::regclass, seqtypid::regtype, seqmin,
                  seqmax, seqstart, seqincrement, seqcache, seqcycle) as line
    from pg_sequence join pg_class on pg_class.oid = seqrelid where relnamespace = ${HERE}`,
  types: `
    select format('%s %s %s', typtype, typname, array(select enumlabel from pg_enum where enumtypid = pg_type.oid
                                                      order by enumsortorder)) as line
    from pg_type where typnamespace = ${HERE} and typtype in ('e', 'd', 'r')`,
  extensions: 'select extname as line from pg_extension',
};

export async function dumpCatalogue(connection: pg.ClientConfig): Promise<CatalogueDump> {
  const dump: CatalogueDump = {};
  await withOwner(connection, async (client) => {
    for (const [kind, question] of Object.entries(QUESTIONS)) {
      const { rows } = await client.query<{ line: string }>(question);
      dump[kind] = rows.map(({ line }) => line).sort();
    }
  });
  return dump;
}

export async function withOwner<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface ForeignKey {
  name: string;
  table: string;
  target: string;
  columns: string[];
  targetColumns: string[];
}

const columnNames = (relation: string, numbers: string) => `
  array(select attname::text from unnest(${numbers}) with ordinality as key (number, place)
        join pg_attribute on attrelid = ${relation} and attnum = key.number order by place)`;

export const FOREIGN_KEYS = `
  select conname as name, conrelid::regclass::text as "table", confrelid::regclass::text as target,
         ${columnNames('conrelid', 'conkey')} as columns, ${columnNames('confrelid', 'confkey')} as "targetColumns"
  from pg_constraint where contype = 'f' and connamespace = ${HERE} order by 2, 1`;

export interface Index {
  name: string;
  table: string;
  columns: string[];
  isUnique: boolean;
  isPartial: boolean;
}

export const INDEXES = `
  select indexrelid::regclass::text as name, indrelid::regclass::text as "table",
         ${columnNames('indrelid', 'indkey::int2[]')} as columns,
         indisunique as "isUnique", indpred is not null as "isPartial"
  from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = ${HERE} order by 2, 1`;

/** Tables whose rows belong to one deployment: those with its id, and the deployment itself. */
export const TENANT_TABLES = `
  select relname as name from pg_class
  where relnamespace = ${HERE} and relkind in ('r', 'p')
    and (relname = 'deployment' or exists (select from pg_attribute
      where attrelid = pg_class.oid and attname = 'deployment_id' and not attisdropped))
  order by 1`;
