import { rooms } from '#app';
import { version } from '#kernel/config/version.ts';
import { deploymentParamOf } from '#kernel/contract/operation.ts';
import type { Bound } from '#kernel/http/group.ts';
import { pagingFieldsOf } from '#kernel/http/open-page.ts';
import { openapiOf, operationIdOf, type Room } from '#kernel/http/openapi.ts';
import { read } from './schema-reading.ts';

/** One operation as tests walk it: where it lives and what it is called. */
export interface Listed {
  id: string;
  room: Room;
  bound: Bound;
}

/** Every operation there is: what is not in a room does not exist. */
export const operations: readonly Listed[] = rooms.flatMap((room) =>
  room.group.bound.map((bound) => ({ id: operationIdOf(bound), room, bound })),
);

/** Path parameters that name an object inside of the deployment, with its noun. */
export function objectParamsOf({ operation }: Bound): [param: string, noun: string][] {
  const deployment = deploymentParamOf(operation);
  return Object.entries(operation.path.shape).flatMap(([param, schema]): [string, string][] => {
    const reading = read(schema);
    const isNamed = reading.kind === 'int64' || reading.kind === 'slug';
    return param !== deployment && isNamed ? [[param, reading.noun ?? param]] : [];
  });
}

/** Where a list is told which page is wanted, if the operation is a list. */
export function pagingOf({ operation }: Bound) {
  for (const place of ['query', 'body'] as const) {
    const fields = pagingFieldsOf(operation[place].shape);
    const limit = fields.get('limit') ?? fields.get('page_size');
    if (limit !== undefined) return { place, limit, cursor: fields.get('cursor'), page: fields.get('page') };
  }
  return undefined;
}

export const isIdempotent = ({ operation }: Bound): boolean =>
  !operation.isRead && operation.allow !== 'public' && !operation.isOutbound;

interface Documented {
  responses: Record<string, { content?: Record<string, { schema: { allOf?: { properties?: Properties }[] } }> }>;
  security: Record<string, unknown>[];
}
type Properties = Record<string, { enum?: string[] }>;
export type Paths = Record<string, Record<string, Documented>>;

/** The OpenAPI document as it would be derived now; another test holds the file against it. */
export const document = openapiOf(rooms, version) as { paths: Paths };

const documentedOf = ({ operation }: Bound): Documented | undefined =>
  document.paths[operation.template.replace('...}', '}')]?.[operation.method.toLowerCase()];

/** What the document promises for a status: content types and error codes; undefined when it knows no such status. */
export function promiseOf(bound: Bound, status: number): { contentTypes: string[]; codes: string[] } | undefined {
  const response = documentedOf(bound)?.responses[String(status)];
  const content = response?.content ?? {};
  const parts = Object.values(content).flatMap(({ schema }) => schema.allOf ?? []);
  const codes = parts.flatMap(({ properties }) => properties?.['code']?.enum ?? []);
  return response && { contentTypes: Object.keys(content), codes };
}
