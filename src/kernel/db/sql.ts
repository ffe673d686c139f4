/** A piece of SQL whose values can only become parameters. Pieces nest. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(strings, values);

/** No SQL at all: what a condition becomes when it does not apply. */
export const nothing = new Sql([''], []);

/** Its text depends on what somebody asked for: there are too many of its kind to keep the plan of each. */
class AdHoc extends Sql {}

/** Marks a piece whose statement shall be planned anew each time, for the values that it has. */
export const adHoc = (piece: Sql): Sql => new AdHoc(piece.strings, piece.values);

const isAdHoc = (piece: Sql): boolean =>
  piece instanceof AdHoc || piece.values.some((value) => value instanceof Sql && isAdHoc(value));

export function join(pieces: readonly Sql[], separator: Sql): Sql {
  if (pieces.length === 0) return nothing;
  const between = pieces.length - 1;
  const values = pieces.flatMap((piece, index) => (index < between ? [piece, separator] : [piece]));
  return new Sql(new Array(values.length + 1).fill(''), values);
}

/** The same piece with no pieces in it: what is made once and used often is walked through once. */
export function flat(piece: Sql): Sql {
  const strings = [''];
  const values: unknown[] = [];
  const add = ({ strings: [first = '', ...others], values: parts }: Sql): void => {
    strings.push((strings.pop() ?? '') + first);
    for (const [index, part] of parts.entries()) {
      if (part instanceof Sql) add(part);
      else {
        values.push(part);
        strings.push('');
      }
      strings.push((strings.pop() ?? '') + (others[index] ?? ''));
    }
  };
  add(piece);
  return new Sql(strings, values);
}

/** Stands for a value that comes later. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A piece that is put together once and then filled with values, each as often as it stands in it. */
export function template<Name extends string>(
  names: readonly Name[],
  make: (slots: Record<Name, unknown>) => Sql,
): (values: Record<Name, unknown>) => Sql {
  const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as Record<Name, unknown>;
  const made = flat(make(slots));
  return (values) =>
    new Sql(
      made.strings,
      made.values.map((value) => (value instanceof Slot ? values[value.name as Name] : value)),
    );
}

export interface Statement {
  /** Empty for what PostgreSQL shall not keep. */
  name: string;
  text: string;
  values: unknown[];
  /** Also without a name or values: the scope of a read travels only with this protocol. */
  queryMode: 'extended';
}

/** Texts come from source code, but lists with many filters have more of them than a session should keep plans of. */
const MOST_NAMES = 1000;
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known ?? '';
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** The text of what has no pieces in it depends on its strings alone, which are the same ones each time. */
const flatTexts = new WeakMap<readonly string[], Pick<Statement, 'name' | 'text'>>();

const isFlat = (piece: Sql) => !piece.values.some((value) => value instanceof Sql);

/** What a piece is when it is nothing but another one. */
function unwrapped(piece: Sql): Sql {
  const [inner] = piece.values;
  const isAlone = piece.values.length === 1 && inner instanceof Sql && piece.strings.every((part) => part === '');
  return isAlone && !(piece instanceof AdHoc) ? unwrapped(inner) : piece;
}

export function render(whole: Sql): Statement {
  const piece = unwrapped(whole);
  const values: unknown[] = [];
  if (piece instanceof AdHoc || !isFlat(piece)) {
    const text = write(piece, values);
    return { name: isAdHoc(piece) ? '' : nameOf(text), text, values, queryMode: 'extended' };
  }
  let known = flatTexts.get(piece.strings);
  if (!known) {
    const text = write(piece, values);
    known = { name: nameOf(text), text };
    flatTexts.set(piece.strings, known);
  }
  return { ...known, values: [...piece.values], queryMode: 'extended' };
}

function write(piece: Sql, values: unknown[]): string {
  let text = piece.strings[0] ?? '';
  for (const [index, value] of piece.values.entries()) {
    if (value instanceof Sql) text += write(value, values);
    else {
      values.push(value);
      text += `$${values.length}`;
    }
    text += piece.strings[index + 1] ?? '';
  }
  return text;
}
