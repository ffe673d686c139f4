import { z } from 'zod';
import { fieldKinds } from './field-kinds.ts';
import { DEFAULT_LIMIT } from './proto-fields.ts';

export type JsonSchema = Record<string, unknown>;

/** Where a schema stands: requests accept int64 as number too, and a query carries plain integers. */
type Place = 'request' | 'query' | 'reply';

const INT64: Record<Place, JsonSchema> = {
  request: { type: ['string', 'integer'], format: 'int64' },
  query: { type: 'integer', format: 'int64' },
  reply: { type: 'string', format: 'int64' },
};

/** The wire form of a contract's schema as JSON Schema; the wire is always the input side of the codecs. */
export function jsonSchemaOf(schema: z.ZodType, place: Place): JsonSchema {
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const facts = fieldKinds.get(zodSchema as unknown as z.ZodType);
      switch (facts?.kind) {
        case 'int64':
          return replace(jsonSchema, INT64[place]);
        case 'limit': {
          const { fallback = DEFAULT_LIMIT } = facts;
          return replace(jsonSchema, {
            ...INT64[place],
            default: place === 'query' ? fallback : String(fallback),
          });
        }
        case 'plain_id':
          return replace(jsonSchema, place === 'reply' ? { type: 'integer', format: 'int64' } : INT64[place]);
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
