import { z } from 'zod';
import { fieldKinds } from './field-kinds.ts';
import { DEFAULT_LIMIT } from './proto-fields.ts';

export type JsonSchema = Record<string, unknown>;

/** Where a schema is used: requests accept int64 also as a number, and a query has plain integers. */
type SchemaPosition = 'request' | 'query' | 'reply';

const INT64: Record<SchemaPosition, JsonSchema> = {
  request: { type: ['string', 'integer'], format: 'int64' },
  query: { type: 'integer', format: 'int64' },
  reply: { type: 'string', format: 'int64' },
};

/** The JSON Schema of a contract's schema on the wire, which is always the input side of its codecs. */
export function jsonSchemaOf(schema: z.ZodType, position: SchemaPosition): JsonSchema {
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const facts = fieldKinds.get(zodSchema as unknown as z.ZodType);
      switch (facts?.kind) {
        case 'int64':
          return replace(jsonSchema, INT64[position]);
        case 'limit': {
          const { fallback = DEFAULT_LIMIT } = facts;
          return replace(jsonSchema, {
            ...INT64[position],
            default: position === 'query' ? fallback : String(fallback),
          });
        }
        case 'plain_id':
          return replace(jsonSchema, position === 'reply' ? { type: 'integer', format: 'int64' } : INT64[position]);
        case 'timestamp':
          return replace(jsonSchema, { type: 'string', format: 'date-time' });
        case 'cursor':
          return replace(jsonSchema, { type: 'string', default: '' });
        case 'deployment':
          return replace(jsonSchema, { type: 'string', description: 'Id or slug of the deployment.' });
        default:
          return undefined;
      }
    },
  }) as JsonSchema;
  return result;
}

function replace(target: JsonSchema, by: JsonSchema): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, by);
}
