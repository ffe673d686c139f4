/** A fragment of SQL whose values can only become parameters. Fragments nest. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(strings, values);

/** The empty fragment, such as a condition that does not apply. */
export const emptySql = new Sql([''], []);

/** A fragment that makes its statement unprepared. */
class Unprepared extends Sql {}

/**
 * Excludes a statement from prepared plans: for text that depends on the request, and for plans that depend on the
 * values.
 */
export const unprepared = (fragment: Sql): Sql => new Unprepared(fragment.strings, fragment.values);

/**
 * A bigint whose frequency the planner does not look up. It expects no rows for a deployment that joined after the last
 * analysis, and then cannot tell a good index from a bad one; with this, it expects the average of all deployments.
 */
export const unestimated = (value: unknown): Sql => sql`(select ${value}::bigint)`;

/** Shared string arrays for fragments without text between their values. */
const blanks: (readonly string[])[] = [];
const blanksFor = (count: number): readonly string[] => {
  blanks[count] ??= new Array(count + 1).fill('');
  return blanks[count];
};

export function join(fragments: readonly Sql[], separator: Sql): Sql {
  if (fragments.length === 0) return emptySql;
  const between = fragments.length - 1;
  const values = fragments.flatMap((fragment, index) => (index < between ? [fragment, separator] : [fragment]));
  return new Sql(blanksFor(values.length), values);
}

/** The same fragment without nesting: for fragments that are built once and used often. */
export function flatten(fragment: Sql): Sql {
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
  add(fragment);
  return new Sql(strings, values);
}

/** A placeholder in a template. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A fragment that is built once and then filled with values. */
export function sqlTemplate<Name extends string>(
  names: readonly Name[],
  build: (placeholders: Record<Name, unknown>) => Sql,
): (values: Record<Name, unknown>) => Sql {
  const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Record<Name, unknown>;
  const built = flatten(build(placeholders));
  return (values) =>
    new Sql(
      built.strings,
      built.values.map((value) => (value instanceof Placeholder ? values[value.name as Name] : value)),
    );
}

export interface SqlStatement {
  /** The name of the prepared statement; empty when it is not prepared. */
  name: string;
  text: string;
  values: unknown[];
  /** Always the extended protocol, because the scope of a read needs it. */
  queryMode: 'extended';
}

/** The largest number of prepared statements in a session; lists with many filters have more variants. */
const MAX_PREPARED = 1000;
const names = new Map<string, string>();

function nameOf(text: string): string {
  const existing = names.get(text);
  if (existing !== undefined || names.size >= MAX_PREPARED) return existing ?? '';
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** Numbers the string arrays of template literals, which are the same object at every evaluation. */
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

/** A key of the fragment's structure: the text of the statement depends on nothing else. */
function shapeOf(fragment: Sql, values: unknown[]): string {
  let shape = fragment instanceof Unprepared ? `!${numberOf(fragment.strings)}` : `${numberOf(fragment.strings)}`;
  for (const value of fragment.values) {
    if (value instanceof Sql) shape += `(${shapeOf(value, values)})`;
    else {
      values.push(value);
      shape += ',';
    }
  }
  return shape;
}

const MAX_SHAPES = 2000;
const shapes = new Map<string, Pick<SqlStatement, 'name' | 'text'>>();
/** Shapes that were rendered once; only those that occur again are cached. */
const seen = new Set<string>();

function cacheShape(shape: string, statement: Pick<SqlStatement, 'name' | 'text'>): void {
  const target = seen.has(shape) ? shapes : seen;
  if (target.size >= MAX_SHAPES) target.clear();
  if (target === shapes) shapes.set(shape, statement);
  else seen.add(shape);
}

/** Renders a fragment; the lookup by shape is much cheaper than joining the texts and looking up the result. */
export function renderSql(fragment: Sql): SqlStatement {
  const values: unknown[] = [];
  const shape = shapeOf(fragment, values);
  let statement = shapes.get(shape);
  if (!statement) {
    const text = write(fragment, []);
    statement = { name: shape.includes('!') ? '' : nameOf(text), text };
    cacheShape(shape, statement);
  }
  return { ...statement, values, queryMode: 'extended' };
}

function write(fragment: Sql, values: unknown[]): string {
  let text = fragment.strings[0] ?? '';
  for (const [index, value] of fragment.values.entries()) {
    if (value instanceof Sql) text += write(value, values);
    else {
      values.push(value);
      text += `$${values.length}`;
    }
    text += fragment.strings[index + 1] ?? '';
  }
  return text;
}
