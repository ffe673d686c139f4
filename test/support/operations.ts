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
    if (param === deployment) return [];
    if (reading.kind === 'int64' || reading.kind === 'slug') return [[param, reading.noun ?? param]];
    return reading.kind === 'name' && reading.noun !== undefined ? [[param, reading.noun]] : [];
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

/** Operations that need what no deployment of the tests has, each with the refusal that is its answer. */
const REFUSED_YET: Readonly<Partial<Record<string, string>>> = {
  DemoService_DeleteDemo: '409 NOT_A_DEMO',
  ProjectsService_RefreshProjectsAsync: '409 SCM_NOT_CONNECTED',
  ProjectsService_SyncRepo: '409 SCM_NOT_CONNECTED',
  ScannerService_GetEngine: '403 ENGINE_NOT_SERVED',
};
export const isRefusedYet = ({ id }: Listed): boolean => id in REFUSED_YET;

/** The verdict on the example of an operation, sent by who may. */
export const verdictOnExample = ({ id, bound }: Listed): string => REFUSED_YET[id] ?? String(bound.operation.status);

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
