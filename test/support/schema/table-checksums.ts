import type { World } from '../world/world.ts';

/** Columns that change on authentication. */
const USE = ['last_used_at', 'last_used_address'];
const TRAIL = /^audit_/;

/** One line with a checksum for each table except the audit trail. */
export async function tableChecksums(world: World): Promise<string[]> {
  const tables = await world.queryAsOwner<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const parts = tables
    .filter(({ name }) => !TRAIL.test(name))
    .map(
      ({ name }) => `select '${name}' as name, count(*) as count,
        md5(coalesce(string_agg(row_text, '|' order by row_text), '')) as sum
        from (select (to_jsonb(one) - '{${USE.join(',')}}'::text[])::text as row_text from "${name}" as one) as rows`,
    );
  const rows = await world.queryAsOwner<{ name: string; count: string; sum: string }>(parts.join(' union all '));
  return rows.map(({ name, count, sum }) => `${name}: ${count} rows, ${sum}`).sort();
}
