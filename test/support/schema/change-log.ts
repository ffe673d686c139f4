import type { World } from '../world/world.ts';

/** Columns that change on authentication. */
const USE = ['last_used_at', 'last_used_address'];
const TRAIL = /^audit_/;

/** Logs the table of each written row, unless only usage columns differ; owned by the superuser. */
const LOG = `
  create table change_log (id bigint generated always as identity primary key, line text not null);
  create function note_change() returns trigger language plpgsql security definer set search_path = public as $$
  declare
    old_row jsonb = case when tg_op = 'INSERT' then null else to_jsonb(old) - '{${USE.join(',')}}'::text[] end;
    new_row jsonb = case when tg_op = 'DELETE' then null else to_jsonb(new) - '{${USE.join(',')}}'::text[] end;
  begin
    if old_row is distinct from new_row then
      insert into change_log (line) values (format('%s %s', tg_op, tg_table_name));
    end if;
    return null;
  end $$;`;

/** Reports which rows of all tables except the audit trail were written since the last call. */
export class ChangeLog {
  readonly #world: World;

  private constructor(world: World) {
    this.#world = world;
  }

  static async install(world: World): Promise<ChangeLog> {
    const tables = await world.queryAsOwner<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    );
    const triggers = tables
      .filter(({ name }) => !TRAIL.test(name))
      .map(
        ({ name }) => `create trigger zz_note_change after insert or update or delete on "${name}"
          for each row execute function note_change()`,
      );
    await world.queryAsOwner([LOG, ...triggers].join(';\n'));
    return new ChangeLog(world);
  }

  /** Each kind of change since the last call, such as `UPDATE team`, in alphabetical order. */
  async take(): Promise<string[]> {
    const rows = await this.#world.queryAsOwner<{ line: string }>(
      `with taken as (delete from change_log returning line)
       select line || ' (' || count(*) || ' rows)' as line from taken group by taken.line order by 1`,
    );
    return rows.map(({ line }) => line);
  }
}
