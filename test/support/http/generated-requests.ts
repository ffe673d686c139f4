import fc from 'fast-check';
import { z } from 'zod';
import { snakeOf } from '#kernel/contract/normalise.ts';
import type { Operation } from '#kernel/contract/operation.ts';
import { exampleOf } from '#kernel/http/openapi/example-calls.ts';
import { type ListedOperation, operations } from './operations.ts';
import { describeSchema, type SchemaDescription, type SchemaMember } from './schema-description.ts';

/** A request before it is sent. `{{Noun}}` is a placeholder for the id of an existing object. */
export interface GeneratedRequest {
  /** The index of the operation in the registry. */
  operation: number;
  caller: 'admin' | 'token' | 'member' | 'stranger' | 'nobody' | 'forger';
  path: Record<string, string>;
  query: string;
  body: string;
  headers: Record<string, string>;
}

/** How many of twelve values violate the contract. */
type Noise = 0 | 1 | 5;

type Text = fc.Arbitrary<string>;

const texts = (values: readonly string[]): Text => fc.constantFrom(...values);
const mostly = (weight: number, usual: Text, otherwise: Text): Text =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: otherwise });
const quoted = (text: Text): Text => text.map((value) => JSON.stringify(value));

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const NASTY_JSON = [
  ...['null', 'true', '0', '-0', '1.5', '1e3', '1E400', '-1', '""', '" "', '{}', '[]', '[null]', deep(63), deep(65)],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '1'.repeat(70)],
  ...['"9223372036854775808"', '"-1"', '"0"', '"01"', '"１"', '"1e3"', '"NaN"', '"true"', '"null"'],
  ...[String.raw`"\u0000"`, String.raw`"\ud800"`, String.raw`"\udc00x"`, String.raw`"\u001f"`, '"\u202e\ufeff"'],
  ...[`"${'ﷺ'.repeat(128)}"`, `"${'x'.repeat(600)}"`, '"💥e\u0301"', `"' or 1=1 --"`, '"%_\\\\"', '"../.."'],
  ...['"X_UNSPECIFIED"', '"{{Team}}"', '"{{ForeignTeam}}"', '"{{ForeignProject}}"', '"{{ForeignUser}}"'],
  ...['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":1}}', '{"a":1,"a":2}', '{"toString":1}'],
  ...['NaN', 'undefined', "'x'", '01', '+1', '.5', '1.', '[1,]', '{"a":1,}', '//', '"\u0001"', '"\\x41"', '"'],
];
const NASTY_TEXTS = [
  ...['', ' ', '0', '-1', '01', '1.0', '9223372036854775807', '9223372036854775808', 'x', 'null', 'undefined'],
  ...[
    '\u0000',
    '\u0007',
    '💥',
    '\u202e',
    '../..',
    "' or 1=1 --",
    '%',
    ',',
    '[]',
    '{}',
    'a'.repeat(70),
    'X_UNSPECIFIED',
  ],
];

const anyJson: Text = fc.oneof(
  { weight: 3, arbitrary: texts(NASTY_JSON) },
  { weight: 1, arbitrary: quoted(fc.string({ unit: 'binary', maxLength: 40 })) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);
const anyText: Text = fc.oneof(texts(NASTY_TEXTS), fc.string({ unit: 'binary', maxLength: 30 }));

const orNasty = (noise: Noise, fitting: Text): Text =>
  noise === 0 ? fitting : fc.oneof({ weight: 12 - noise, arbitrary: fitting }, { weight: noise, arbitrary: anyJson });

const INT64: readonly string[] = ['0', '1', '-1', '9223372036854775807', '-9223372036854775808'];
const time = fc
  .date({ min: new Date(0), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString());

const anyName = (max: number): Text =>
  fc.oneof(
    fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 30 }).filter((name) => name.trim() !== ''),
    texts(['Ünïcode ✓', 'x'.repeat(max), '😀'.repeat(max), '. ', '123', 'current']),
  );

/** The text of a valid value, without the quotes of JSON. */
function plainText(reading: SchemaDescription): Text {
  switch (reading.kind) {
    case 'int64':
    case 'plain_id':
      return mostly(
        4,
        fc.constant(`{{${reading.noun ?? 'Number'}}}`),
        texts(reading.kind === 'int64' ? INT64 : ['0', '1']),
      );
    case 'slug':
      return mostly(6, fc.constant(`{{${reading.noun ?? 'Slug'}}}`), texts(['no-such-thing', '0', 'a_b']));
    case 'limit':
    case 'page_size':
      return mostly(
        3,
        texts([reading.min, reading.min + 1, reading.max].map(String)),
        fc.constant(String(reading.min)),
      );
    case 'page':
      return texts(['0', '0', '1', String(reading.max)]);
    case 'cursor':
      return mostly(2, fc.constant(''), fc.constant('{{Cursor}}'));
    case 'timestamp':
      return fc.oneof(
        fc.constant('{{Soon}}'),
        time,
        texts(['1970-01-01T00:00:00Z', '2999-12-31T23:59:59.999999999Z', '2024-02-29T12:00:00+14:00']),
      );
    case 'name':
      return reading.noun === undefined
        ? anyName(reading.max)
        : mostly(4, fc.constant(`{{${reading.noun}}}`), anyName(reading.max));
    case 'deployment':
      return mostly(
        8,
        fc.constant('{{Deployment}}'),
        texts(['{{Slug}}', '{{ForeignDeployment}}', '{{ForeignSlug}}', '0']),
      );
    case 'enum':
      return mostly(8, texts(reading.names), texts(['X_UNSPECIFIED']));
    case 'boolean':
      return texts(['true', 'false']);
    case 'number':
      return fc.integer({ min: Math.max(reading.min, -1000), max: Math.min(reading.max, 1_000_000) }).map(String);
    case 'text':
      return fittingText(reading);
    default:
      return anyText;
  }
}

/** Some e-mail addresses that are valid by the standard are not accepted by the server. */
const isEmail = (text: string) => z.email().safeParse(text).success;

const formed = (pattern: string): Text => fc.stringMatching(new RegExp(pattern, 'u'));

function fittingText({ min, max, pattern, format }: Extract<SchemaDescription, { kind: 'text' }>): Text {
  if (format === 'email') return mostly(3, fc.emailAddress().filter(isEmail), fc.constant('{{Email}}'));
  // An address that the server may call in principle. Nothing is sent to one that only a draft names.
  if (pattern?.includes('https?:')) return mostly(6, fc.constant('https://host.example/path'), formed(pattern));
  if (pattern !== undefined) return formed(pattern);
  const length = { minLength: min, maxLength: Math.min(max, 40) };
  return mostly(6, fc.string({ unit: 'grapheme', ...length }), fc.constant('x'.repeat(Math.min(max, 1000))));
}

const NOT_QUOTED: readonly SchemaDescription['kind'][] = ['boolean', 'number', 'page', 'page_size', 'plain_id'];
const EITHER_WAY: readonly SchemaDescription['kind'][] = ['int64', 'limit'];

/** JSON text for a schema, with some invalid values. */
function jsonFor(schema: z.core.$ZodType, noise: Noise): Text {
  const reading = describeSchema(schema);
  switch (reading.kind) {
    case 'object':
      return orNasty(noise, objectFor(reading.members, noise));
    case 'array': {
      const items = fc.array(jsonFor(reading.element, noise), { maxLength: Math.min(4, reading.max ?? 4) });
      return orNasty(
        noise,
        items.map((parts) => `[${parts.join(',')}]`),
      );
    }
    case 'record': {
      const entry = fc
        .tuple(quoted(fc.string({ maxLength: 8 })), jsonFor(reading.value, noise))
        .map((pair) => pair.join(':'));
      return orNasty(
        noise,
        fc.array(entry, { maxLength: 3 }).map((parts) => `{${parts.join(',')}}`),
      );
    }
    case 'union':
      return orNasty(noise, fc.oneof(...reading.options.map((option) => jsonFor(option, noise))));
    case 'anything':
      return anyJson;
    default: {
      const text = plainText(reading);
      if (NOT_QUOTED.includes(reading.kind)) return orNasty(noise, text);
      return orNasty(noise, EITHER_WAY.includes(reading.kind) ? mostly(4, quoted(text), text) : quoted(text));
    }
  }
}

function objectFor(members: readonly SchemaMember[], noise: Noise): Text {
  const parts = members.map(({ name, schema, isRequired }) => {
    const isThere = isRequired ? (noise === 0 ? fc.constant(true) : fc.nat(9).map((n) => n > 0)) : fc.boolean();
    const spelling = mostly(4, fc.constant(name), fc.constant(snakeOf(name)));
    return fc
      .tuple(isThere, spelling, jsonFor(schema, noise), jsonFor(schema, noise), fc.nat(39))
      .map(([isGiven, spelled, value, another, chance]) => {
        if (!isGiven) return '';
        const member = `${JSON.stringify(spelled)}:${value}`;
        // Occasionally the member is repeated, in one spelling or in two.
        return noise > 0 && chance === 0 ? `${member},${JSON.stringify(snakeOf(name))}:${another}` : member;
      });
  });
  const extra =
    noise === 0
      ? fc.constant('')
      : mostly(
          9,
          fc.constant(''),
          anyJson.map((value) => `"unheard_of":${value}`),
        );
  return fc.tuple(...parts, extra).map((all) => `{${all.filter((part) => part !== '').join(',')}}`);
}

/** Ways of corrupting a whole body. */
const corrupt = (body: string): Text =>
  texts([
    ...['', ' ', 'x', '[', '"', '\ufeff{}', deep(100_000), `${body} {}`, body.slice(0, -1), ` \n\t${body}\r\n`],
    ...[`[${body}]`, `{"a":${body},"a":1}`, `{"__proto__":${body}}`, body.replaceAll('"', "'"), `/**/${body}`],
  ]);

/** The body of the example, with nouns in place of ids. */
const exampleBody = ({ room, bound }: ListedOperation): Text =>
  fc.constant(JSON.stringify(exampleOf(room, bound, (noun) => `{{${noun}}}`).body ?? {}));

function bodyFor(listed: ListedOperation, noise: Noise): Text {
  const { operation } = listed.bound;
  if (operation.upload) return uploadFor(listed, noise);
  if (!operation.hasBody) return fc.constant('');
  const body = objectFor(describeSchema(operation.body).kind === 'object' ? membersOf(operation.body) : [], noise);
  // Some operations have rules beyond their schema, so that only the example succeeds.
  return noise === 0
    ? fc.oneof(body, exampleBody(listed))
    : fc.tuple(body, fc.nat(9)).chain(([text, chance]) => (chance === 0 ? corrupt(text) : fc.constant(text)));
}

/** The upload of the example: complete, cut, corrupted or replaced. */
function uploadFor({ room, bound }: ListedOperation, noise: Noise): Text {
  const { upload = '' } = exampleOf(room, bound, (noun) => `{{${noun}}}`);
  if (noise === 0) return fc.constant(upload);
  const cut = fc.nat(upload.length).map((length) => upload.slice(0, length));
  return fc.oneof(fc.constant(upload), cut, anyJson, fc.string({ unit: 'binary', maxLength: 200 }), corrupt(upload));
}

const membersOf = (schema: z.core.$ZodType): SchemaMember[] => {
  const reading = describeSchema(schema);
  return reading.kind === 'object' ? reading.members : [];
};

const ESCAPES = ['%', '%zz', '%00', '%ff', '%c3%28', '%ed%a0%80', '+', '%2B', '&', '=', ';', '%23'];

function queryFor(operation: Operation, noise: Noise): Text {
  const parts = membersOf(operation.query).map(({ name, schema, isRequired }) => {
    const reading = describeSchema(schema);
    const element = reading.kind === 'array' ? describeSchema(reading.element) : reading;
    const value =
      noise === 0
        ? plainText(element)
        : fc.oneof({ weight: 12 - noise, arbitrary: plainText(element) }, { weight: noise, arbitrary: anyText });
    const spelled = mostly(4, fc.constant(name), texts([snakeOf(name), `${name}[]`, `${name}[0]`, `${name}%5B1%5D`]));
    const raw = noise === 0 ? value.map(escaped) : mostly(11, value.map(escaped), texts(ESCAPES));
    const pair = fc.tuple(noise === 0 ? fc.constant(name) : spelled, raw).map(([key, text]) => `${key}=${text}`);
    const most = noise === 0 ? 1 : 2;
    return fc.array(pair, { minLength: isRequired ? 1 : 0, maxLength: most }).map((pairs) => pairs.join('&'));
  });
  return fc.tuple(...parts).map((pairs) => pairs.filter((pair) => pair !== '').join('&'));
}

/** Placeholders are not encoded, because ids replace them later. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/%7B%7B(\w+)%7D%7D/g, '{{$1}}');

function pathFor(operation: Operation, noise: Noise): fc.Arbitrary<Record<string, string>> {
  const values = membersOf(operation.path).map(({ name, schema }) => {
    const fitting = plainText(describeSchema(schema));
    const value =
      noise === 0
        ? fitting
        : fc.oneof({ weight: 12 - noise, arbitrary: fitting }, { weight: noise, arbitrary: anyText });
    return [name, value.map(escaped)] as const;
  });
  return fc.record(Object.fromEntries(values));
}

const HEADERS: Record<string, readonly string[]> = {
  'idempotency-key': ['key-1', '"key-2"', '', ' ', 'x'.repeat(255), 'x'.repeat(256), 'ümläut', '""'],
  'if-match': ['*', '"1"', '1', 'W/"1"', '"1", "2"', '', ',,,', '"9223372036854775808"', 'x'.repeat(2000)],
  'content-type': [
    'application/json; charset=utf-8',
    'text/plain',
    'application/json;',
    'Application/JSON',
    'application/jsonx',
    '',
  ],
  'content-encoding': ['gzip', 'identity', 'br'],
  'x-request-id': ['request-id-of-the-client', 'short', '../../../etc', 'x'.repeat(500)],
  cookie: ['a=b', '__Host-parapet_refresh=x', '__Host-parapet_refresh=', '=;=;', ';;;', 'x'.repeat(2000)],
  origin: ['https://evil.example', 'null', ''],
  'x-forwarded-for': ['203.0.113.7', "' or 1=1", '::1, 127.0.0.1'],
  'user-agent': ['', 'ü'.repeat(400), '<script>'],
};

function headersFor(noise: Noise): fc.Arbitrary<Record<string, string>> {
  if (noise === 0) return fc.constant({});
  const one = fc
    .constantFrom(...Object.keys(HEADERS))
    .chain((name) => texts(HEADERS[name] ?? ['']).map((value) => ({ [name]: value })));
  return fc
    .array(one, { maxLength: noise === 1 ? 1 : 3 })
    .map((all) => Object.assign({}, ...all) as Record<string, string>);
}

const CALLERS: { weight: number; arbitrary: fc.Arbitrary<GeneratedRequest['caller']> }[] = [
  { weight: 12, arbitrary: fc.constant('admin') },
  { weight: 4, arbitrary: fc.constant('token') },
  { weight: 2, arbitrary: fc.constant('member') },
  { weight: 1, arbitrary: fc.constantFrom('stranger', 'nobody', 'forger') },
];

/** The example of an operation as a draft: rules beyond the contract reject most generated requests. */
function exampleDraft({ room, bound }: ListedOperation, index: number): fc.Arbitrary<GeneratedRequest> {
  const { path = {}, query = {}, body, upload = '' } = exampleOf(room, bound, (noun) => `{{${noun}}}`);
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${escaped(String(value))}`);
  return fc.record({
    operation: fc.constant(index),
    caller: fc.constant('admin' as const),
    path: fc.constant(Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]))),
    query: fc.constant(pairs.join('&')),
    body: fc.constant(body === undefined ? upload : JSON.stringify(body)),
    headers: fc.constant({}),
  });
}

/**
 * Requests for all or some operations: a quarter examples, a quarter valid, the others with few or many invalid
 * values.
 */
export function generatedRequests(isWanted: (id: string) => boolean = () => true): fc.Arbitrary<GeneratedRequest> {
  return fc.oneof(...operations.flatMap((listed, index) => (isWanted(listed.id) ? requestsOf(listed, index) : [])));
}

/** Built once for each operation, because building takes longer than sampling. */
const built = new Map<ListedOperation, fc.Arbitrary<GeneratedRequest>[]>();

function requestsOf(listed: ListedOperation, index: number): fc.Arbitrary<GeneratedRequest>[] {
  const made = built.get(listed) ?? [exampleDraft(listed, index), ...generated(listed, index)];
  built.set(listed, made);
  return made;
}

function generated(listed: ListedOperation, index: number): fc.Arbitrary<GeneratedRequest>[] {
  const { operation } = listed.bound;
  return ([0, 1, 5] as const).map((noise) =>
    fc.record({
      operation: fc.constant(index),
      caller: fc.oneof(...CALLERS),
      path: pathFor(operation, noise),
      query: queryFor(operation, noise),
      body: bodyFor(listed, noise),
      headers: headersFor(noise),
    }),
  );
}
