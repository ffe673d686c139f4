import { join, Sql, sql } from './sql.ts';

const KEY = /^[A-Za-z]\w*$/;

/** Text that needs no escape within JSON: ids, counts and enum names. */
export const bare = (value: Sql): Sql => sql`'"' || ${value} || '"'`;

/** A JSON object as text, of members that are JSON text; joining them costs a third of json_build_object. */
export function objectText(members: Record<string, Sql>): Sql {
  const parts = Object.entries(members).map(([key, value], index) => {
    if (!KEY.test(key)) throw new Error(`"${key}" is not a plain key.`);
    const label = new Sql([`'${index === 0 ? '{' : ','}"${key}":'`], []);
    return sql`${label} || coalesce(${value}, 'null')`;
  });
  return sql`${join(parts, sql` || `)} || '}'`;
}

/** The objects of several rows as the text of a JSON array. */
export const arrayText = (object: Sql): Sql => sql`'[' || coalesce(string_agg(${object}, ','), '') || ']'`;
