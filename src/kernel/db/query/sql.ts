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
export const emptySql = new Sql([''], []);

/** Its text depends on what somebody asked for: there are too many of its kind to keep the plan of each. */
class AdHoc extends Sql {}

/** Marks a piece whose statement shall be planned anew each time, for the values that it has. */
export const unprepared = (piece: Sql): Sql => new AdHoc(piece.strings, piece.values);

/** The same strings for all pieces that have nothing between their values. */
const blanks: (readonly string[])[] = [];
const blanksFor = (count: number): readonly string[] => {
  blanks[count] ??= new Array(count + 1).fill('');
  return blanks[count];
};

export function join(pieces: readonly Sql[], separator: Sql): Sql {
  if (pieces.length === 0) return emptySql;
  const between = pieces.length - 1;
  const values = pieces.flatMap((piece, index) => (index < between ? [piece, separator] : [piece]));
  return new Sql(blanksFor(values.length), values);
}

/** The same piece with no pieces in it: what is made once and used often is walked through once. */
export function flatten(piece: Sql): Sql {
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
export function sqlTemplate<Name extends string>(
  names: readonly Name[],
  make: (slots: Record<Name, unknown>) => Sql,
): (values: Record<Name, unknown>) => Sql {
  const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as Record<Name, unknown>;
  const made = flatten(make(slots));
  return (values) =>
    new Sql(
      made.strings,
      made.values.map((value) => (value instanceof Slot ? values[value.name as Name] : value)),
    );
}

export interface SqlStatement {
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

/** Strings that are the same ones each time, because they come from source code, have a number. */
const numbers = new WeakMap<readonly string[], number>();
let lastNumber = 0;

function numberOf(strings: readonly string[]): number {
  let number = numbers.get(strings);
  if (number === undefined) {
    number = ++lastNumber;
    numbers.set(strings, number);
  }
  return number;
}

/** Which strings a piece is made of, and where its values stand: of this its text is made, and of nothing else. */
function shapeOf(piece: Sql, values: unknown[]): string {
  let shape = piece instanceof AdHoc ? `!${numberOf(piece.strings)}` : `${numberOf(piece.strings)}`;
  for (const value of piece.values) {
    if (value instanceof Sql) shape += `(${shapeOf(value, values)})`;
    else {
      values.push(value);
      shape += ',';
    }
  }
  return shape;
}

const MOST_SHAPES = 2000;
const shapes = new Map<string, Pick<SqlStatement, 'name' | 'text'>>();
/** Pieces that are made anew each time never have the same shape again: only what comes twice is worth keeping. */
const met = new Set<string>();

function keep(shape: string, known: Pick<SqlStatement, 'name' | 'text'>): void {
  const kept = met.has(shape) ? shapes : met;
  if (kept.size >= MOST_SHAPES) kept.clear();
  if (kept === shapes) shapes.set(shape, known);
  else met.add(shape);
}

/** To walk through the pieces is far cheaper than to join their texts and to look for the name of what came out. */
export function renderSql(piece: Sql): SqlStatement {
  const values: unknown[] = [];
  const shape = shapeOf(piece, values);
  let known = shapes.get(shape);
  if (!known) {
    const text = write(piece, []);
    known = { name: shape.includes('!') ? '' : nameOf(text), text };
    keep(shape, known);
  }
  return { ...known, values, queryMode: 'extended' };
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
