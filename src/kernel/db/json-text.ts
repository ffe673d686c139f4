import { flat, join, Sql, sql } from './sql.ts';

const KEY = /^[A-Za-z]\w*$/;

/** How a column becomes a member of an object. */
export interface MemberText {
  value: Sql;
  kind: 'bare' | 'flag' | 'json';
}

/** Text that needs no escape within JSON and is never null: ids, counts and enum names. */
export const bare = (value: Sql): MemberText => ({ value, kind: 'bare' });

export const flag = (value: Sql): MemberText => ({ value, kind: 'flag' });

/** Anything else, as SQL that gives JSON text. */
export const jsonText = (value: Sql): MemberText => ({ value: sql`coalesce(${value}, 'null')`, kind: 'json' });

/** A JSON object as text: one concat of few pieces costs a third of json_build_object. */
export function objectText(members: Record<string, MemberText>): Sql {
  const pieces: Sql[] = [];
  let before = '{';
  for (const [key, { value, kind }] of Object.entries(members)) {
    if (!KEY.test(key)) throw new Error(`"${key}" is not a plain key.`);
    const start = `${before}"${key}":`;
    const quote = kind === 'bare' ? '"' : '';
    if (kind === 'flag')
      pieces.push(sql`case when ${value} then ${literal(`${start}true`)} else ${literal(`${start}false`)} end`);
    else pieces.push(literal(start + quote), value);
    before = `${quote},`;
  }
  pieces.push(literal(`${before.slice(0, -1)}}`));
  return flat(sql`concat(${join(pieces, sql`, `)})`);
}

const literal = (text: string): Sql => new Sql([`'${text}'`], []);

/** The objects of several rows as the text of a JSON array. */
export const arrayText = (object: Sql, order: Sql): Sql =>
  flat(sql`'[' || coalesce(string_agg(${object}, ',' order by ${order}), '') || ']'`);
