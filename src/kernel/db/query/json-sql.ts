import { emptySql, flatten, join, Sql, sql } from './sql.ts';

const KEY = /^[A-Za-z]\w*$/;
const WORD = /^\w+$/;

/** PostgreSQL hands no more arguments than this to a function. */
const MOST_ARGUMENTS = 100;

/** How a column becomes a member of an object. */
export interface JsonMember {
  value: Sql;
  kind: 'bare' | 'flag' | 'json' | 'optional' | 'fixed';
}

/** Text that needs no escape within JSON and is never null: ids, counts and enum names. */
export const unescaped = (value: Sql): JsonMember => ({ value, kind: 'bare' });

export const flag = (value: Sql): JsonMember => ({ value, kind: 'flag' });

/** A number that is never null, as it is. */
export const number = (value: Sql): JsonMember => ({ value, kind: 'json' });

/** Any text, where none is the empty one. */
export const text = (value: Sql): JsonMember => ({ value: sql`coalesce(${escapedJson(value)}, '""')`, kind: 'json' });

/** Anything else, as SQL that gives JSON text. */
export const jsonText = (value: Sql): JsonMember => ({ value: sql`coalesce(${value}, 'null')`, kind: 'json' });

/** The same, but a member that is left out where there is nothing. Never the first one. */
export const optional = (value: Sql): JsonMember => ({ value, kind: 'optional' });

/** What is the same in every object. */
export const fixed = (value: unknown): JsonMember => ({ value: literal(JSON.stringify(value)), kind: 'fixed' });

/** JSON text of text, or null. */
export const escapedJson = (value: Sql): Sql => sql`to_json(${value})::text`;

/** JSON text of text that needs no escape, or null. */
export const quotedJson = (value: Sql): Sql => sql`'"' || ${value} || '"'`;

/** A moment as the contract shows it. */
export const timestampText = (value: Sql): Sql =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What each word of a closed list is called elsewhere; null for any other. */
export const mapWords = (value: Sql, names: Record<string, string>): Sql =>
  sql`case ${value} ${join(
    Object.entries(names).map(([word, name]) => sql`when ${wordLiteral(word)} then ${wordLiteral(name)}`),
    sql` `,
  )} end`;

function wordLiteral(word: string): Sql {
  if (!WORD.test(word)) throw new Error(`"${word}" is not a plain word.`);
  return literal(word);
}

/** A JSON object as text: one concat of few pieces costs a third of json_build_object. */
export function jsonObject(members: Record<string, JsonMember>): Sql {
  const pieces: Sql[] = [];
  let before = '{';
  const flush = (more = '') => {
    if (before + more !== '') pieces.push(literal(before + more));
    before = '';
  };
  for (const [index, [key, { value, kind }]] of Object.entries(members).entries()) {
    if (!KEY.test(key)) throw new Error(`"${key}" is not a plain key.`);
    const start = `${index === 0 ? '' : ','}"${key}":`;
    switch (kind) {
      case 'flag':
        pieces.push(sql`case when ${value} then ${literal(`${before}${start}true`)}
          else ${literal(`${before}${start}false`)} end`);
        before = '';
        break;
      case 'optional':
        if (index === 0) throw new Error(`"${key}" is first and must not be left out.`);
        flush();
        // Of a null nothing is left, and concat passes over it.
        pieces.push(sql`${literal(start)} || ${value}`);
        break;
      case 'fixed':
        before += start + textOfLiteral(value);
        break;
      default:
        flush(start + (kind === 'bare' ? '"' : ''));
        pieces.push(value);
        before = kind === 'bare' ? '"' : '';
    }
  }
  flush('}');
  return flatten(concat(pieces));
}

function concat(pieces: readonly Sql[]): Sql {
  if (pieces.length <= MOST_ARGUMENTS) return sql`concat(${join(pieces, sql`, `)})`;
  const parts = Math.ceil(pieces.length / MOST_ARGUMENTS);
  const size = Math.ceil(pieces.length / parts);
  return concat(Array.from({ length: parts }, (_, part) => concat(pieces.slice(part * size, (part + 1) * size))));
}

function literal(content: string): Sql {
  if (content.includes("'") || content.includes('\\')) throw new Error('What is fixed has no quotes and no escapes.');
  return new Sql([`'${content}'`], []);
}

const textOfLiteral = ({ strings: [quoted = ''] }: Sql): string => quoted.slice(1, -1);

/** The objects of several rows as the text of a JSON array. */
export const jsonArray = (object: Sql, order: Sql = emptySql): Sql =>
  flatten(
    sql`'[' || coalesce(string_agg(${object}, ',' ${order === emptySql ? emptySql : sql`order by ${order}`}), '') || ']'`,
  );
