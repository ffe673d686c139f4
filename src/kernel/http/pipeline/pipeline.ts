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
import { deploymentParamOf, isDeploymentScoped } from '#kernel/contract/operation.ts';
import type { Database } from '#kernel/db/database.ts';
import { DEFAULT_JSON_LIMITS } from '../json/parse-json.ts';
import type { LimitUsage, RateLimits } from '../limits/rate-limits.ts';
import type { IncomingRequest, OutgoingResponse } from '../message.ts';
import { isJsonMediaType } from '../request/media-type.ts';
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

/** What the log, the metrics and the audit trail want to know of a request, filled in as it becomes known. */
export interface RequestTrace {
  bound?: BoundOperation;
  caller: Caller;
  /** The last of the limits that it counted against. */
  limitUsage?: LimitUsage;
}

/** Every request, step by step, in the order that makes each status decidable. */
export async function respond(
  kit: ServerContext,
  incoming: IncomingRequest,
  trace: RequestTrace,
): Promise<OutgoingResponse> {
  trace.limitUsage = kit.limits.takeForArrival(incoming); // 429
  const { bound, params } = route(kit, incoming); // 404, 405
  trace.bound = bound;
  const deploymentRef = params[deploymentParamOf(bound.operation) ?? ''];
  const arrival = { incoming, deploymentRef, trace };
  const caller = await identify(kit, bound, arrival); // 401; 403 for the kind of credential
  if (bound.operation.deployment.kind === 'body') return respondByBody(kit, incoming, { trace, bound, caller });
  const path = resolvePath(bound, params, caller); // 400; 404 for strangers
  await authorize(kit, bound, { caller, path, incoming }); // 404 for what the caller may not see; 403
  trace.limitUsage = kit.limits.takeForCaller(bound.operation, caller, incoming); // 429
  const input = await read(bound, incoming, { path, params }); // 415, 413, 400
  const work = { bound, incoming, caller, path, ...input, reauthenticate: () => readmit(kit, bound, arrival) };
  return runOperation(kit.transactions, work); // 410, 412, 409, 422, then the work
}

/** The same steps where only the body names the deployment: it has to be read before the caller is known in it. */
async function respondByBody(
  kit: ServerContext,
  incoming: IncomingRequest,
  { trace, bound, caller: stranger }: { trace: RequestTrace; bound: BoundOperation; caller: Caller },
): Promise<OutgoingResponse> {
  trace.limitUsage = kit.limits.takeForCaller(bound.operation, stranger, incoming); // 429
  const input = await read(bound, incoming, { path: {}, params: {} }); // 415, 413, 400
  const { deployment } = bound.operation;
  const named = deployment.kind === 'body' ? input.body.wire[deployment.member] : undefined;
  const arrival = { incoming, deploymentRef: String(named), trace };
  const caller = await identify(kit, bound, arrival);
  if (caller.deployment === '') throw NOT_FOUND();
  await authorize(kit, bound, { caller, path: {}, incoming }); // 403
  const admitAgain = () => readmit(kit, bound, arrival);
  return runOperation(kit.transactions, { bound, incoming, caller, path: {}, ...input, reauthenticate: admitAgain });
}

function route(kit: ServerContext, { method, pathname }: IncomingRequest) {
  const match = kit.router.find(method, pathname);
  switch (match.kind) {
    case 'found':
      return { bound: match.target, params: match.params };
    case 'method':
      throw METHOD_NOT_ALLOWED({ method }, { headers: { allow: match.allow.join(', ') } });
    case 'none':
      throw ROUTE_NOT_FOUND();
  }
}

interface Arrival {
  incoming: IncomingRequest;
  deploymentRef: string | undefined;
  trace: RequestTrace;
}

async function identify(kit: ServerContext, bound: BoundOperation, arrival: Arrival): Promise<Caller> {
  const { allow, credential } = bound.operation;
  if (allow !== 'public') return admit(kit, bound, arrival);
  if (credential !== 'optional' || arrival.incoming.authorizations.length === 0) return anonymousCaller;
  try {
    return await admit(kit, bound, arrival);
  } catch (error) {
    if (error instanceof Fault) return anonymousCaller;
    throw error;
  }
}

/** Asks the door again; what the permission on one object gave is not asked for, so such a caller is let go. */
async function readmit(kit: ServerContext, bound: BoundOperation, arrival: Arrival): Promise<Caller | undefined> {
  try {
    const caller = await identify(kit, bound, arrival);
    const { allow } = bound.operation;
    const isAllowed = allow === 'public' || allow === 'self' || caller.permissions.has(allow);
    return isAllowed && (!isDeploymentScoped(bound.operation) || caller.deployment !== '') ? caller : undefined;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

async function admit(
  kit: ServerContext,
  { operation }: BoundOperation,
  { incoming, deploymentRef, trace }: Arrival,
): Promise<Caller> {
  const credential = bearerOf(incoming.authorizations);
  return kit.authenticator.authenticate({
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

/** The path with the deployment's id in it, however it was spelled. */
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
  kit: ServerContext,
  bound: BoundOperation,
  who: { caller: Caller; path: Record<string, string>; incoming: IncomingRequest },
): Promise<void> {
  const { allow } = bound.operation;
  const isAllowed = allow === 'public' || allow === 'self' || who.caller.permissions.has(allow);
  if (isAllowed && loadsObjectsInTransaction(bound, who.incoming)) return;
  const granted = await look(kit.db, bound, who);
  if (!isAllowed && !granted.has(allow)) throw PERMISSION_DENIED({ permission: allow });
}

async function look(
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

async function read(
  { operation }: BoundOperation,
  incoming: IncomingRequest,
  path: ResolvedPath,
): Promise<Pick<AuthorizedRequest, 'query' | 'body' | 'upload'>> {
  const query = parseQueryOf(operation, incoming.rawQuery);
  if (operation.upload) return { query, body: empty, upload: openUpload(operation.upload, incoming) };
  if (!operation.hasBody) return { query, body: empty, upload: emptyUpload };
  const bytes = await incoming.readBody(operation.bodyLimitBytes ?? DEFAULT_JSON_LIMITS.bodyBytes);
  const isTyped = bytes.length === 0 || isJsonMediaType(incoming.header('content-type'));
  if (!isTyped || incoming.header('content-encoding') !== undefined)
    throw UNSUPPORTED_MEDIA_TYPE({ types: 'application/json' });
  return { query, body: parseBody(operation, bytes, path), upload: emptyUpload };
}

const empty: ParsedInput = { value: {}, wire: {} };
