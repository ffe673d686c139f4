import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openapiDocument } from '#test/support/http/operations.ts';
import { JsonSchemaCheck } from '#test/support/reports/json-schema.ts';
import { shapes } from '../../src/shapes.ts';

/** The API description as a product: what people make clients from. */

type Json = Record<string, unknown>;

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Json;
  example?: unknown;
}

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  'x-codes': string[];
  'x-extension'?: boolean;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<string, { $ref?: string }>;
}

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, Json>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Json>;
    'x-codes': Record<string, { status: number }>;
  };
}

const document = openapiDocument as unknown as Document;
const { components } = document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ route: `${method.toUpperCase()} ${path}`, described })),
);
const none = (problems: string[]) => assert.deepEqual(problems, []);

/** Every object of the document, with what leads to it. */
function* objectsIn(value: unknown, at = '#'): Generator<[at: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Json];
  for (const [name, item] of Object.entries(value)) yield* objectsIn(item, `${at}/${name}`);
}

const MAX_BYTES_PER_OPERATION = 4000;

describe('the API description', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(openapiDocument));
    assert.ok(valid, JSON.stringify(errors, null, 1));
  });

  test(`has fewer than ${MAX_BYTES_PER_OPERATION} bytes for each operation`, () => {
    const { length } = readFileSync('openapi.json');
    assert.ok(length < MAX_BYTES_PER_OPERATION * operations.length, `it has ${length} for ${operations.length}`);
  });

  test('refers only to components that it has, and has none that nothing refers to', () => {
    const refs = new Set([...objectsIn(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])));
    const defined = (['schemas', 'parameters', 'responses'] as const).flatMap((kind) =>
      Object.keys(components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    none([...refs].filter((ref) => !defined.includes(ref)));
    none(defined.filter((name) => !refs.has(name)));
  });

  test('has no shape twice under two names', () => {
    const all = Object.entries(components.schemas);
    none(
      all.flatMap(([name, schema], index) =>
        all
          .slice(index + 1)
          .filter(([, other]) => isDeepStrictEqual(schema, other))
          .map(([other]) => `${name} is the same as ${other}`),
      ),
    );
  });

  test('has no copy of a named shape where a reference would do', () => {
    const named = new Map(Object.entries(components.schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
    none(
      [...objectsIn(document)].flatMap(([at, object]) => {
        const name = named.get(JSON.stringify(object));
        return name === undefined || at === `#/components/schemas/${name}` ? [] : [`${at} is a copy of ${name}`];
      }),
    );
  });
});

describe('the names of shapes', () => {
  const files = globSync(['src/domain/**/*.ts', 'src/services/**/*.ts']).filter((file) =>
    /(^|\/|-)(shape|contract)\.ts$/.test(file),
  );

  test('are exported: what has a name in a contract has it in the description', () => {
    none(
      files.flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/^const ([A-Z][a-z]\w*) = (?:z\.|oneOf\(|[A-Z]\w+\.)/gm)].map(
          ([, name]) => `${file} does not export ${name}`,
        ),
      ),
    );
  });

  test('come from every module of shapes', async () => {
    const modules = await Promise.all(
      files
        .filter((file) => file.endsWith('shape.ts'))
        .map(async (file) => [file, (await import(`../../${file}`)) as object] as const),
    );
    none(
      modules.filter(([, module]) => !shapes.includes(module)).map(([file]) => `src/shapes.ts does not list ${file}`),
    );
  });
});

describe('every described operation', () => {
  test('has an id, a tag of the document and a summary', () => {
    const tags = document.tags.map(({ name }) => name);
    const ids = operations.map(({ described }) => described.operationId);
    assert.equal(new Set(ids).size, ids.length);
    none(
      operations
        .filter(({ described }) => {
          const [tag = '', ...more] = described.tags;
          return !tags.includes(tag) || more.length > 0 || described.summary === '';
        })
        .map(({ route }) => route),
    );
  });

  test('has examples that its schemas accept', () => {
    const problemsOf = (schema: Json, example: unknown) =>
      new JsonSchemaCheck(new Map([['it', { ...schema, components }]])).problems('it', example);
    none(
      operations.flatMap(({ route, described }) => {
        const parameters = described.parameters.map((one) =>
          one.$ref === undefined ? one : (components.parameters[one.$ref.split('/').at(-1) ?? ''] as Parameter),
        );
        const media = Object.values(described.requestBody?.content ?? {});
        return [
          ...parameters.filter((one) => one.in === 'path' && one.example === undefined).map(({ name }) => name),
          ...media.filter(({ example }) => example === undefined).map(() => 'body'),
          ...[...parameters, ...media].flatMap(({ schema, example }) =>
            example === undefined ? [] : problemsOf(schema, example),
          ),
        ].map((problem) => `${route}: ${problem}`);
      }),
    );
  });

  test('answers errors with shared responses, and lists the codes of each', () => {
    none(
      operations.flatMap(({ route, described }) => {
        const statuses = new Set(described['x-codes'].map((code) => String(components['x-codes'][code]?.status)));
        const errors = Object.entries(described.responses).filter(([status]) => Number(status) >= 400);
        return [
          ...errors.filter(([, { $ref }]) => !$ref?.startsWith('#/components/responses/')).map(([status]) => status),
          ...errors.filter(([status]) => !statuses.has(status)).map(([status]) => `${status} has no code`),
          ...[...statuses].filter((status) => !(status in described.responses)).map((status) => `no ${status}`),
        ].map((problem) => `${route}: ${problem}`);
      }),
    );
  });

  test('is in the reference contract or is marked as an extension, and not both', () => {
    const withoutNames = (route: string) => route.replace(/\{[^}]*\}/g, '{}').replace(/\/+$/, '');
    const lines = readFileSync('test/fixtures/reference-routes.txt', 'utf8').trim().split('\n');
    const reference = new Set(lines.map(withoutNames));
    none(
      operations
        .filter(({ route, described }) => reference.has(withoutNames(route)) === (described['x-extension'] ?? false))
        .map(({ route, described }) =>
          described['x-extension']
            ? `${route} is marked as an extension, and is in the reference contract`
            : `${route} is neither in the reference contract nor marked as an extension`,
        ),
    );
  });
});
