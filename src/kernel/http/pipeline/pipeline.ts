import type { Authenticator, Caller } from '#kernel/auth/caller.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import {
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  PERMISSION_DENIED,
  ROUTE_NOT_FOUND,
  UNSUPPORTED_MEDIA_TYPE,
} from '#kernel/contract/common-faults.ts';
import { Fault } from '#kernel/contract/fault.ts';
import { type DeploymentSource, deploymentParamOf, isDeploymentScoped } from '#kernel/contract/operation.ts';
import type { Database } from '#kernel/db/database.ts';
import { DEFAULT_JSON_LIMITS } from '../json/parse-json.ts';
import type { LimitUsage, RateLimits } from '../limits/rate-limits.ts';
import type { IncomingRequest, OutgoingResponse } from '../message.ts';
import { isJsonMediaType, isScimMediaType } from '../request/media-type.ts';
import { prefersStrictHandling } from '../request/prefer.ts';
import type { Router } from '../request/router.ts';
import type { AuthorizedRequest, Transactions } from './authorized-request.ts';
import { bearerOf } from './bearer.ts';
import type { BoundOperation } from './group.ts';
import { type ParsedInput, parseBody, parsePath, parseQueryOf, type ResolvedPath } from './parse-input.ts';
import { loadsObjectsInTransaction, runOperation } from './run-operation.ts';
import { emptyUpload, openUpload } from './upload.ts';

export interface ServerContext {
  router: Router<BoundOperation>;
  authenticator: Authenticator;
  db: Database;
  limits: RateLimits;
  transactions: Transactions;
}

/** What the log, the metrics and the audit trail need to know about a request, filled in step by step. */
export interface RequestTrace {
  bound?: BoundOperation;
  caller: Caller;
  /** The last rate limit that the request counted against. */
  limitUsage?: LimitUsage;
}

/** Takes every request through the same steps; the comments name the statuses that each step can answer with. */
export async function respond(
  context: ServerContext,
  incoming: IncomingRequest,
  trace: RequestTrace,
): Promise<OutgoingResponse> {
  trace.limitUsage = context.limits.takeForArrival(incoming); // 429
  const { bound, params } = route(context, incoming); // 404, 405
  trace.bound = bound;
  const deploymentRef = params[deploymentParamOf(bound.operation) ?? ''];
  const attempt = { incoming, deploymentRef, trace };
  const caller = await identify(context, bound, attempt); // 401; 403 for a credential that is not accepted
  if (bound.operation.deployment.kind === 'body') return respondByBody(context, incoming, { trace, bound, caller });
  const path = resolvePath(bound, params, caller); // 400; 404 for callers who are not members
  await authorize(context, bound, { caller, path, incoming }); // 404 for what the caller may not see; 403
  const taken = context.limits.takeForCaller(bound.operation, caller, incoming); // 429
  if (taken) trace.limitUsage = taken;
  const input = await parseInput(bound, incoming, { path, params }); // 415, 413, 400
  const reauthenticate = () => identifyAgain(context, bound, attempt);
  // 410, 412, 409, 422
  return runOperation(context.transactions, { bound, incoming, caller, path, ...input, reauthenticate });
}

/** The same steps for an operation whose body names the deployment: it is read before the caller is authorized. */
async function respondByBody(
  context: ServerContext,
  incoming: IncomingRequest,
  { trace, bound, caller: unscoped }: { trace: RequestTrace; bound: BoundOperation; caller: Caller },
): Promise<OutgoingResponse> {
  const taken = context.limits.takeForCaller(bound.operation, unscoped, incoming); // 429
  if (taken) trace.limitUsage = taken;
  const input = await parseInput(bound, incoming, { path: {}, params: {} }); // 415, 413, 400
  const { deployment } = bound.operation;
  const attempt = { incoming, deploymentRef: deploymentIn(deployment, input.body.wire), trace };
  const caller = await identify(context, bound, attempt);
  if (caller.deployment === '') throw NOT_FOUND();
  await authorize(context, bound, { caller, path: {}, incoming }); // 403
  const reauthenticate = () => identifyAgain(context, bound, attempt);
  return runOperation(context.transactions, { bound, incoming, caller, path: {}, ...input, reauthenticate });
}

/** The deployment that a body names. */
function deploymentIn(source: DeploymentSource, body: Record<string, unknown>): string {
  if (source.kind !== 'body') return '';
  const text = String(body[source.member]);
  return source.until === undefined ? text : (text.split(source.until)[0] ?? '');
}

function route(context: ServerContext, { method, pathname }: IncomingRequest) {
  const match = context.router.find(method, pathname);
  switch (match.kind) {
    case 'found':
      return { bound: match.target, params: match.params };
    case 'method':
      throw METHOD_NOT_ALLOWED({ method }, { headers: { allow: match.allow.join(', ') } });
    case 'none':
      throw ROUTE_NOT_FOUND();
  }
}

interface Attempt {
  incoming: IncomingRequest;
  deploymentRef: string | undefined;
  trace: RequestTrace;
}

async function identify(context: ServerContext, bound: BoundOperation, attempt: Attempt): Promise<Caller> {
  const { allow, credential } = bound.operation;
  if (allow !== 'public') return authenticate(context, bound, attempt);
  if (credential !== 'optional' || attempt.incoming.authorizations.length === 0) return anonymousCaller;
  try {
    return await authenticate(context, bound, attempt);
  } catch (error) {
    if (error instanceof Fault) return anonymousCaller;
    throw error;
  }
}

/** Authenticates again. Permissions on a single object are not checked, so a caller who has only those is refused. */
async function identifyAgain(
  context: ServerContext,
  bound: BoundOperation,
  attempt: Attempt,
): Promise<Caller | undefined> {
  try {
    const caller = await identify(context, bound, attempt);
    const { allow } = bound.operation;
    const isAllowed = allow === 'public' || allow === 'self' || caller.permissions.has(allow);
    return isAllowed && (!isDeploymentScoped(bound.operation) || caller.deployment !== '') ? caller : undefined;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

async function authenticate(
  context: ServerContext,
  { operation }: BoundOperation,
  { incoming, deploymentRef, trace }: Attempt,
): Promise<Caller> {
  const credential = bearerOf(incoming.authorizations);
  return context.authenticator.authenticate({
    credential,
    accepted: operation.credential,
    address: incoming.address,
    onIdentified: (caller) => {
      trace.caller = caller;
    },
    deploymentRef,
    usesOwnDeployment: operation.deployment.kind === 'credential' || operation.credential === 'optional',
  });
}

/** The path parameters, with the id of the deployment also where the request sent its slug. */
function resolvePath(
  { operation }: BoundOperation,
  params: Record<string, string>,
  caller: Caller,
): Record<string, string> {
  const path = parsePath(operation, params);
  if (isDeploymentScoped(operation) && caller.deployment === '') throw NOT_FOUND();
  const param = deploymentParamOf(operation);
  return param === undefined ? path : { ...path, [param]: caller.deployment };
}

async function authorize(
  context: ServerContext,
  bound: BoundOperation,
  request: { caller: Caller; path: Record<string, string>; incoming: IncomingRequest },
): Promise<void> {
  const { allow } = bound.operation;
  const isAllowed = allow === 'public' || allow === 'self' || request.caller.permissions.has(allow);
  if (isAllowed && loadsObjectsInTransaction(bound, request.incoming)) return;
  const granted = await loadObjects(context.db, bound, request);
  if (!isAllowed && !granted.has(allow)) throw PERMISSION_DENIED({ permission: allow });
}

async function loadObjects(
  db: Database,
  bound: BoundOperation,
  { caller, path }: { caller: Caller; path: Record<string, string> },
) {
  const loaders = Object.entries(bound.objects);
  const granted = new Set<string>();
  if (loaders.length === 0) return granted;
  await db.transaction({ role: 'app', deployment: caller.deployment, isRead: true }, async (tx) => {
    for (const [param, load] of loaders) {
      const found = await load(tx, { deployment: caller.deployment, id: path[param] ?? '', path, caller });
      if (!found) throw NOT_FOUND();
      for (const permission of found) granted.add(permission);
    }
  });
  return granted;
}

async function parseInput(
  { operation }: BoundOperation,
  incoming: IncomingRequest,
  path: ResolvedPath,
): Promise<Pick<AuthorizedRequest, 'query' | 'body' | 'upload'>> {
  const isStrict = operation.isStrict === true || prefersStrictHandling(incoming.header('prefer'));
  const query = parseQueryOf(operation, incoming.rawQuery, { isStrict });
  if (operation.upload) return { query, body: empty, upload: openUpload(operation.upload, incoming) };
  if (!operation.hasBody) return { query, body: empty, upload: emptyUpload };
  const bytes = await incoming.readBody(operation.bodyLimitBytes ?? DEFAULT_JSON_LIMITS.bodyBytes);
  const type = incoming.header('content-type');
  const isTyped = bytes.length === 0 || isJsonMediaType(type) || (operation.mediaType && isScimMediaType(type));
  if (!isTyped || incoming.header('content-encoding') !== undefined)
    throw UNSUPPORTED_MEDIA_TYPE({ types: operation.mediaType ?? 'application/json' });
  return { query, body: parseBody(operation, bytes, { ...path, isStrict }), upload: emptyUpload };
}

const empty: ParsedInput = { value: {}, wire: {} };
