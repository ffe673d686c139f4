import type { z } from 'zod';
import type { Operation } from '#kernel/contract/operation.ts';
import type { ExampleCall } from '#kernel/http/openapi/example-calls.ts';
import { describeSchema, isNullable, isObject, type SchemaDescription } from './schema-description.ts';

/** A request that differs from a valid one in one violation of its contract. */
export interface InvalidRequest {
  what: string;
  path?: Record<string, unknown>;
  /** The query string as sent. */
  query?: string;
  /** The body as sent. */
  raw?: string;
}

/** The JSON text of an invalid value, with a description. */
type Wrong = [what: string, text: string];

const NOT_INT64 = [
  ...['', ' ', 'abc', '1.5', '1.0', '1e3', '+1', '01', '-0', ' 1', '1 ', '0x1', '1_000', '１', 'null', '∞'],
  ...['9223372036854775808', '-9223372036854775809', '99999999999999999999'],
];
const NOT_INT64_NUMBERS = ['9223372036854775808', '-9223372036854775809', '1.5', '1e30', '0.1'];
const NOT_TIMES = [
  ...['', 'yesterday', '2024-01-01', '2024-01-01T00:00:00', '2024-13-01T00:00:00Z', '2024-01-01 00:00:00Z'],
  ...['2024-02-30T00:00:00Z', '2023-02-29T00:00:00Z', '2024-01-01T24:00:00Z', '1969-12-31T23:59:59Z'],
  ...['3000-01-01T00:00:00Z', '2024-01-01T00:00:00+25:00', '2024-01-01T00:00:00z ', '1700000000'],
];
const INVALID_TEXTS: Wrong[] = [
  ['NUL', String.raw`"a\u0000b"`],
  ['a lone surrogate', String.raw`"a\ud800b"`],
  ['a raw control character', '"a\u0001b"'],
];

const JSON_TYPES = {
  text: '"x"',
  number: '7',
  fraction: '1.5',
  boolean: 'true',
  list: '[]',
  object: '{}',
  null: 'null',
};
const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text));
const otherThan = (...accepted: (keyof typeof JSON_TYPES)[]): Wrong[] =>
  Object.entries(JSON_TYPES)
    .filter(([type]) => !(accepted as string[]).includes(type))
    .map(([type, text]) => [type, text]);
const each = (what: string, texts: readonly string[]): Wrong[] =>
  texts.map((text) => [`${what} ${text}`.slice(0, 60), text]);

/** A single text is accepted where a list of these is expected. */
const TEXT_KINDS: ReadonlySet<SchemaDescription['kind']> = new Set([
  ...(['text', 'enum', 'int64', 'name', 'slug', 'timestamp'] as const),
]);

/** Every invalid value for one schema. The caller descends into objects and lists. */
function wrongFor(reading: SchemaDescription): Wrong[] {
  switch (reading.kind) {
    case 'object':
      return otherThan('object');
    case 'record':
      return otherThan('object');
    case 'array': {
      const tooMany =
        reading.max === undefined ? [] : [new Array(reading.max + 1).fill(sampleOf(describeSchema(reading.element)))];
      const isOfTexts = TEXT_KINDS.has(describeSchema(reading.element).kind);
      return [
        ...otherThan('list', ...(isOfTexts ? (['text'] as const) : [])),
        ...tooMany.map((items): Wrong => ['too many items', `[${items.join(',')}]`]),
      ];
    }
    case 'int64':
    case 'plain_id':
      return [...otherThan('text', 'number'), ...each('the id', [...quoted(NOT_INT64), ...NOT_INT64_NUMBERS])];
    case 'limit': {
      const bounds = ['0', '-1'];
      return [
        ...otherThan('text', 'number'),
        ...each('the limit', [...quoted([...NOT_INT64, ...bounds]), ...bounds, ...NOT_INT64_NUMBERS]),
      ];
    }
    case 'cursor':
      return [
        ...otherThan('text'),
        ...each('the cursor', [...quoted(['no cursor', 'x'.repeat(5000)])]),
        ...INVALID_TEXTS,
      ];
    case 'timestamp':
      return [...otherThan('text'), ...each('the time', quoted(NOT_TIMES)), ...INVALID_TEXTS];
    case 'name':
      return [
        ...otherThan('text'),
        ...each(
          'the name',
          quoted(['', '   ', 'x'.repeat(reading.max + 1), '😀'.repeat(reading.max + 1), 'a\nb', 'a\u007fb']),
        ),
        ...INVALID_TEXTS,
      ];
    case 'enum':
      return [...otherThan('text'), ['no such name', '"NO_SUCH_NAME"'], ...INVALID_TEXTS];
    case 'boolean':
      return [...otherThan('boolean'), ['a boolean in quotes', '"true"']];
    case 'page':
    case 'page_size':
      return [...otherThan('number'), ...each('out of range', [reading.min - 1, reading.max + 1].map(String))];
    case 'number':
      return [
        ...(reading.isWhole ? otherThan('number') : otherThan('number', 'fraction')),
        ...each('out of range', [
          ...(reading.min > Number.MIN_SAFE_INTEGER ? [String(reading.min - 1)] : []),
          ...(reading.max < Number.MAX_SAFE_INTEGER ? [String(reading.max + 1)] : []),
        ]),
      ];
    case 'text':
      return [
        ...otherThan('text'),
        ...each('too short', reading.min > 0 ? ['""'] : []),
        ...each('too long', reading.max < 256 * 1024 ? quoted(['x'.repeat(reading.max + 1)]) : []),
        ...each('of another form', quoted([' !', ''].filter((text) => !isOfForm(reading, text)))),
        ...INVALID_TEXTS,
      ];
    default:
      return [];
  }
}

/** Whether the text has the form of the schema. Without a pattern, any text does, unless there is a format. */
const isOfForm = ({ pattern, format }: Extract<SchemaDescription, { kind: 'text' }>, text: string): boolean =>
  pattern === undefined ? format === undefined : new RegExp(pattern, 'u').test(text);

/** The JSON text of one valid value. */
export function sampleOf(reading: SchemaDescription): string {
  switch (reading.kind) {
    case 'int64':
    case 'limit':
      return '"1"';
    case 'plain_id':
      return '1';
    case 'page':
    case 'page_size':
    case 'number':
      return String(Math.max(1, reading.min));
    case 'boolean':
      return 'true';
    case 'array':
      return '[]';
    case 'enum':
      return JSON.stringify(reading.names[0]);
    case 'timestamp':
      return '"2024-02-29T12:00:00Z"';
    case 'union': {
      const [first] = reading.options;
      return first ? sampleOf(describeSchema(first)) : 'null';
    }
    case 'object': {
      const required = reading.members.filter(({ isRequired }) => isRequired);
      const members = required.map(({ name, schema }) => `${JSON.stringify(name)}:${sampleOf(describeSchema(schema))}`);
      return `{${members.join(',')}}`;
    }
    default:
      return '"a"';
  }
}

interface Place {
  schema: z.core.$ZodType;
  value: unknown;
  pointer: string;
  /** The whole body with this text at the place, or without the member. */
  write: (text: string | undefined) => string;
}

function* breakagesAt({ schema, value, pointer, write }: Place): Generator<Wrong> {
  const reading = describeSchema(schema);
  const wrong = wrongFor(reading).filter(([, text]) => text !== 'null' || !isNullable(schema));
  for (const [what, text] of wrong) yield [`${pointer}: ${what}`, write(text)];
  if (reading.kind === 'object') {
    const given = isObject(value) ? value : {};
    for (const { name, schema: inner, isRequired } of reading.members) {
      const others = Object.entries(given)
        .filter(([other]) => other !== name)
        .map(([other, item]) => `${JSON.stringify(other)}:${JSON.stringify(item)}`);
      const place: Place = {
        schema: inner,
        value: given[name],
        pointer: `${pointer}/${name}`,
        write: (text) =>
          write(`{${[...others, ...(text === undefined ? [] : [`${JSON.stringify(name)}:${text}`])].join(',')}}`),
      };
      if (isRequired) yield [`${place.pointer}: missing`, place.write(undefined)];
      yield* breakagesAt(place);
    }
  }
  if (reading.kind === 'array') {
    const [first] = Array.isArray(value) ? value : [];
    const element = first ?? JSON.parse(sampleOf(describeSchema(reading.element)));
    yield* breakagesAt({
      schema: reading.element,
      value: element,
      pointer: `${pointer}/0`,
      write: (text) => write(`[${text ?? ''}]`),
    });
  }
}

function* ofBody(operation: Operation, example: ExampleCall): Generator<InvalidRequest> {
  if (!operation.hasBody) return;
  const root = { schema: operation.body, value: example.body ?? {}, pointer: '#', write: (text = '') => text };
  for (const [what, raw] of breakagesAt(root)) yield { what, raw };
  const good = JSON.stringify(example.body ?? {});
  const texts: Wrong[] = [
    ['a cut', good.slice(0, -1)],
    ['two values', `${good} {}`],
    ['a repeated member', `{"a":1,"a":1,${good.slice(1)}`.replace(/,}$/, '}')],
    ['a prototype', `{"__proto__":{},${good.slice(1)}`.replace(/,}$/, '}')],
    ['a deep prototype', `{"x":[{"constructor":1}],${good.slice(1)}`.replace(/,}$/, '}')],
    ['a byte order mark', `\ufeff${good}`],
    ['deep nesting', `{"x":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['a comment', `/* */${good}`],
  ];
  for (const [what, raw] of texts) yield { what, raw };
}

/** Invalid query values are strings; a query cannot express other JSON types. */
function wrongInQuery(reading: SchemaDescription): string[] {
  switch (reading.kind) {
    case 'int64':
    case 'plain_id':
      return NOT_INT64.filter((text) => text !== '');
    case 'limit':
      return [...NOT_INT64, '0', '-1'];
    case 'cursor':
      return ['no cursor', 'x'.repeat(5000)];
    case 'timestamp':
      return NOT_TIMES;
    case 'enum':
      return ['NO_SUCH_NAME', '', 'null'];
    case 'boolean':
      return ['yes', '1', 'TRUE', ''];
    case 'page':
    case 'page_size':
      return ['x', '', '1e3', '1.5', String(reading.min - 1), String(reading.max + 1)];
    case 'number':
      return ['x', '', '1e3', '0x1'];
    case 'array':
      return wrongInQuery(describeSchema(reading.element)).filter((text) => text !== '');
    case 'text':
      return reading.max < 4096 ? ['x'.repeat(reading.max + 1)] : [];
    default:
      return [];
  }
}

function* ofQuery(operation: Operation, example: ExampleCall): Generator<InvalidRequest> {
  for (const [name, schema] of Object.entries(operation.query.shape)) {
    const reading = describeSchema(schema);
    const others = Object.entries(example.query ?? {})
      .filter(([other]) => other !== name)
      .map(([other, value]) => `${other}=${encodeURIComponent(String(value))}`);
    const query = (...parts: string[]) => [...others, ...parts].join('&');
    for (const text of wrongInQuery(reading))
      yield { what: `query/${name}: ${text}`.slice(0, 60), query: query(`${name}=${encodeURIComponent(text)}`) };
    if (reading.kind !== 'array') yield { what: `query/${name}: twice`, query: query(`${name}=1`, `${name}=1`) };
    for (const broken of ['%', '%zz', '%00', '%ff', '%ed%a0%80', 'a%c3'])
      yield { what: `query/${name}: ${broken}`, query: query(`${name}=${broken}`) };
  }
}

const WRONG_IN_PATH: Partial<Record<SchemaDescription['kind'], string[]>> = {
  int64: NOT_INT64.filter((text) => text !== ''),
  slug: ['x'.repeat(65), 'UPPER', 'a b', '-a', 'ä', 'ａ', 'a.b', '%2e%2e', '$', "'", '\u202e'],
  deployment: ['x'.repeat(65)],
};

function* ofPath(operation: Operation, example: ExampleCall): Generator<InvalidRequest> {
  for (const [name, schema] of Object.entries(operation.path.shape)) {
    const wrong = WRONG_IN_PATH[describeSchema(schema).kind] ?? [];
    for (const text of wrong) yield { what: `path/${name}: ${text}`, path: { ...example.path, [name]: text } };
  }
}

/** Every violation of the contract by a variation of a valid request. Each must get 400. */
export function invalidRequestsFor(operation: Operation, example: ExampleCall): InvalidRequest[] {
  return [...ofPath(operation, example), ...ofQuery(operation, example), ...ofBody(operation, example)];
}
