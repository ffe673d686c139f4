import { join, Sql, sql } from './sql.ts';

const KEY = /^[A-Za-z]\w*$/;

/** A member of an object: SQL that gives JSON text, or text to be put in quotes as it is. */
export interface MemberText {
  value: Sql;
  isBare: boolean;
}

/** Text that needs no escape within JSON and is never null: ids, counts and enum names. */
export const bare = (value: Sql): MemberText => ({ value, isBare: true });

export const jsonText = (value: Sql): MemberText => ({ value: sql`coalesce(${value}, 'null')`, isBare: false });

/** A JSON object as text: one concat over all members costs a third of json_build_object. */
export function objectText(members: Record<string, MemberText>): Sql {
  const pieces: Sql[] = [];
  let before = '{';
  for (const [key, { value, isBare }] of Object.entries(members)) {
    if (!KEY.test(key)) throw new Error(`"${key}" is not a plain key.`);
    const quote = isBare ? '"' : '';
    pieces.push(literal(`${before}"${key}":${quote}`), value);
    before = `${quote},`;
  }
  pieces.push(literal(`${before.slice(0, -1)}}`));
  return sql`concat(${join(pieces, sql`, `)})`;
}

const literal = (text: string): Sql => new Sql([`'${text}'`], []);

/** The objects of several rows as the text of a JSON array. */
export const arrayText = (object: Sql, order: Sql): Sql =>
  sql`'[' || coalesce(string_agg(${object}, ',' order by ${order}), '') || ']'`;
