import { rooms } from '#app';
import { version } from '#kernel/config/version.ts';
import { acceptsIdempotencyKey, deploymentParamOf } from '#kernel/contract/operation.ts';
import { operationIdOf } from '#kernel/http/openapi/describe-operation.ts';
import type { Room } from '#kernel/http/openapi/example-calls.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';
import type { BoundOperation } from '#kernel/http/pipeline/group.ts';
import { pagingFieldsOf } from '#kernel/http/pipeline/open-page.ts';
import { shapes } from '../../../src/shapes.ts';
import { describeSchema } from './schema-description.ts';

/** One operation with its id and its room. */
export interface ListedOperation {
  id: string;
  room: Room;
  bound: BoundOperation;
}

/** All operations of all rooms. */
export const operations: readonly ListedOperation[] = rooms.flatMap((room) =>
  room.group.operations.map((bound) => ({ id: operationIdOf(bound), room, bound })),
);

/** Path parameters that name an object inside the deployment, with its noun. */
export function objectParamsOf({ operation }: BoundOperation): [param: string, noun: string][] {
  const deployment = deploymentParamOf(operation);
  return Object.entries(operation.path.shape).flatMap(([param, schema]): [string, string][] => {
    const reading = describeSchema(schema);
    if (param === deployment) return [];
    if (reading.kind === 'int64' || reading.kind === 'slug') return [[param, reading.noun ?? param]];
    return reading.kind === 'name' && reading.noun !== undefined ? [[param, reading.noun]] : [];
  });
}

/** The paging parameters, if the operation is a list. */
export function pagingOf({ operation }: BoundOperation) {
  for (const place of ['query', 'body'] as const) {
    const fields = pagingFieldsOf(operation[place].shape);
    const limit = fields.get('limit') ?? fields.get('page_size');
    if (limit !== undefined) return { place, limit, cursor: fields.get('cursor'), page: fields.get('page') };
  }
  return undefined;
}

export const isIdempotent = ({ operation }: BoundOperation): boolean => acceptsIdempotencyKey(operation);

/** Operations that need what no test deployment has, each with its expected error. */
const REFUSED_YET: Readonly<Partial<Record<string, string>>> = {
  // No tracker answers in these tests.
  ExternalTicketingService_CreateTicketingInstance: '400 TRACKER_REFUSED',
  ExternalTicketingService_UpdateTicketingInstance: '400 TRACKER_REFUSED',
  ExternalTicketingService_LinkTicket: '502 TRACKER_UNAVAILABLE',
  TicketingService_LinkTicket: '502 TRACKER_UNAVAILABLE',
  // Neither does Slack, and no state was issued.
  SlackService_HandleSlackCallback: '400 SLACK_STATE_REFUSED',
  SlackService_ListSlackConversations: '502 SLACK_UNAVAILABLE',
  SlackService_CreateSlackChannelMapping: '502 SLACK_UNAVAILABLE',
  // No code host answers either.
  ScmAppsService_CreateAdoScmApp: '400 AZURE_DEVOPS_UNSUPPORTED',
  ScmAppsService_CompleteAdoScmAppInstall: '400 AZURE_DEVOPS_UNSUPPORTED',
  ScmAppsService_AddAdoScmProject: '400 AZURE_DEVOPS_UNSUPPORTED',
  ScmAppsService_CompleteScmAppRequest: '400 SCM_APP_REQUEST_REFUSED',
  ScmHooksService_ReceiveScmDelivery: '401 DELIVERY_REFUSED',
  ScmSubscriptionsService_ScmWebhookSubscriptionSubscribe: '502 SCM_UNAVAILABLE',
  // No sign-in was started, and no provider signed a token.
  SingleSignOnService_CompleteSignIn: '401 SSO_REFUSED',
  SingleSignOnService_EndProviderSessions: '400 SSO_LOGOUT_REFUSED',
  DemoService_DeleteDemo: '409 NOT_A_DEMO',
  ProjectsService_RefreshProjectsAsync: '409 SCM_NOT_CONNECTED',
  ProjectsService_SyncRepo: '409 SCM_NOT_CONNECTED',
  ScannerService_GetEngine: '403 ENGINE_NOT_SERVED',
};
export const isAlwaysRefused = ({ id }: ListedOperation): boolean => id in REFUSED_YET;

/** The expected status and code of the example of an operation, sent by a permitted caller. */
export const expectedOutcome = ({ id, bound }: ListedOperation): string =>
  REFUSED_YET[id] ?? String(bound.operation.status);

/** The same for a call that names no version in If-Match. */
export const outcomeWithoutHeaders = (listed: ListedOperation): string =>
  listed.bound.operation.requiresIfMatch ? '428 IF_MATCH_REQUIRED' : expectedOutcome(listed);

interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, unknown>;
}

interface Documented {
  'x-codes': string[];
  responses: Record<string, DocumentedResponse>;
  security: Record<string, unknown>[];
}
export type OpenapiPaths = Record<string, Record<string, Documented>>;

/** The OpenAPI document as derived now. Another test compares the file with it. */
export const openapiDocument = openapiOf({ rooms, shapes, version }) as {
  paths: OpenapiPaths;
  components: {
    responses: Record<string, DocumentedResponse>;
    'x-codes': Record<string, { status: number }>;
  };
};

const documentedOf = ({ operation }: BoundOperation): Documented | undefined =>
  openapiDocument.paths[operation.template.replace('...}', '}')]?.[operation.method.toLowerCase()];

/** The content types and error codes of a status in the document; undefined for an undocumented status. */
export function documentedResponse(
  bound: BoundOperation,
  status: number,
): { contentTypes: string[]; codes: string[] } | undefined {
  const { responses, 'x-codes': table } = openapiDocument.components;
  const documented = documentedOf(bound);
  const response = documented?.responses[String(status)];
  const { content = {} } = responses[response?.$ref?.split('/').at(-1) ?? ''] ?? response ?? {};
  const codes = documented?.['x-codes'].filter((code) => table[code]?.status === status) ?? [];
  return response && { contentTypes: Object.keys(content), codes };
}
