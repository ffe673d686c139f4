import type { Caller, Door } from '#kernel/auth/caller.ts';
import { nobody } from '#kernel/auth/caller.ts';
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
import { bearerOf } from './bearer.ts';
import type { Bound } from './group.ts';
import { type Parsed, parseBody, parsePath, parseQueryOf, type SpelledPath } from './input.ts';
import { jsonLimits } from './json.ts';
import type { Limits, Taken } from './limits.ts';
import { isJson } from './media-type.ts';
import type { Outgoing } from './problem.ts';
import type { Router } from './router.ts';
import { noUpload, uploadOf } from './upload.ts';
import { isLookedUpInWork, perform, type Work, type Workshop } from './work.ts';

/** A request as the edge hands it in: its body is not read yet. */
export interface Incoming {
  method: string;
  pathname: string;
  rawQuery: string;
  header(name: string): string | undefined;
  authorizations: string[];
  address: string;
  requestId: string;
  readBody(limitBytes: number): Promise<Uint8Array>;
  streamBody(limitBytes: number): AsyncIterable<Buffer>;
}

export interface Kit {
  router: Router<Bound>;
  door: Door;
  db: Database;
  limits: Limits;
  workshop: Workshop;
}

/** What the log, the metrics and the audit trail want to know of a request, filled in as it becomes known. */
export interface Trace {
  bound?: Bound;
  caller: Caller;
  /** The last of the limits that it counted against. */
  taken?: Taken;
}

/** Every request, step by step, in the order that makes each status decidable. */
export async function respond(kit: Kit, incoming: Incoming, trace: Trace): Promise<Outgoing> {
  trace.taken = kit.limits.admitArrival(incoming); // 429
  const { bound, params } = route(kit, incoming); // 404, 405
  trace.bound = bound;
  const deploymentRef = params[deploymentParamOf(bound.operation) ?? ''];
  const arrival = { incoming, deploymentRef, trace };
  const caller = await identify(kit, bound, arrival); // 401; 403 for the kind of credential
  if (bound.operation.deploymentMember !== undefined) return respondByBody(kit, incoming, { trace, bound, caller });
  const path = resolvePath(bound, params, caller); // 400; 404 for strangers
  await authorize(kit, bound, { caller, path, incoming }); // 404 for what the caller may not see; 403
  trace.taken = kit.limits.admitCaller(bound.operation, caller, incoming); // 429
  const input = await read(bound, incoming, { path, params }); // 415, 413, 400
  const work = { bound, incoming, caller, path, ...input, admitAgain: () => readmit(kit, bound, arrival) };
  return perform(kit.workshop, work); // 410, 412, 409, 422, then the work
}

/** The same steps where only the body names the deployment: it has to be read before the caller is known in it. */
async function respondByBody(
  kit: Kit,
  incoming: Incoming,
  { trace, bound, caller: stranger }: { trace: Trace; bound: Bound; caller: Caller },
): Promise<Outgoing> {
  trace.taken = kit.limits.admitCaller(bound.operation, stranger, incoming); // 429
  const input = await read(bound, incoming, { path: {}, params: {} }); // 415, 413, 400
  const named = input.body.wire[bound.operation.deploymentMember ?? ''];
  const arrival = { incoming, deploymentRef: String(named), trace };
  const caller = await identify(kit, bound, arrival);
  if (caller.deployment === '') throw NOT_FOUND();
  await authorize(kit, bound, { caller, path: {}, incoming }); // 403
  const admitAgain = () => readmit(kit, bound, arrival);
  return perform(kit.workshop, { bound, incoming, caller, path: {}, ...input, admitAgain });
}

function route(kit: Kit, { method, pathname }: Incoming) {
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
  incoming: Incoming;
  deploymentRef: string | undefined;
  trace: Trace;
}

async function identify(kit: Kit, bound: Bound, arrival: Arrival): Promise<Caller> {
  const { allow, isCredentialOptional } = bound.operation;
  if (allow !== 'public') return admit(kit, bound, arrival);
  if (!isCredentialOptional || arrival.incoming.authorizations.length === 0) return nobody;
  try {
    return await admit(kit, bound, arrival);
  } catch (error) {
    if (error instanceof Fault) return nobody;
    throw error;
  }
}

/** Asks the door again; what the permission on one object gave is not asked for, so such a caller is let go. */
async function readmit(kit: Kit, bound: Bound, arrival: Arrival): Promise<Caller | undefined> {
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

async function admit(kit: Kit, { operation }: Bound, { incoming, deploymentRef, trace }: Arrival): Promise<Caller> {
  const credential = bearerOf(incoming.authorizations);
  return kit.door.admit({
    credential,
    scheme: operation.scheme,
    address: incoming.address,
    known: (caller) => {
      trace.caller = caller;
    },
    deploymentRef,
    isHomeWanted: operation.deploymentOfCredential === true || operation.isCredentialOptional === true,
    isScannerRoute: operation.isScannerRoute === true,
  });
}

/** The path with the deployment's id in it, however it was spelled. */
function resolvePath({ operation }: Bound, params: Record<string, string>, caller: Caller): Record<string, string> {
  const path = parsePath(operation, params);
  if (isDeploymentScoped(operation) && caller.deployment === '') throw NOT_FOUND();
  const param = deploymentParamOf(operation);
  return param === undefined ? path : { ...path, [param]: caller.deployment };
}

async function authorize(
  kit: Kit,
  bound: Bound,
  who: { caller: Caller; path: Record<string, string>; incoming: Incoming },
): Promise<void> {
  const { allow } = bound.operation;
  const isAllowed = allow === 'public' || allow === 'self' || who.caller.permissions.has(allow);
  if (isAllowed && isLookedUpInWork(bound, who.incoming)) return;
  const granted = await look(kit.db, bound, who);
  if (!isAllowed && !granted.has(allow)) throw PERMISSION_DENIED({ permission: allow });
}

async function look(db: Database, bound: Bound, { caller, path }: { caller: Caller; path: Record<string, string> }) {
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
  { operation }: Bound,
  incoming: Incoming,
  path: SpelledPath,
): Promise<Pick<Work, 'query' | 'body' | 'upload'>> {
  const query = parseQueryOf(operation, incoming.rawQuery);
  if (operation.upload) return { query, body: empty, upload: uploadOf(operation.upload, incoming) };
  if (!operation.hasBody) return { query, body: empty, upload: noUpload };
  const bytes = await incoming.readBody(operation.bodyLimitBytes ?? jsonLimits.bodyBytes);
  const isTyped = bytes.length === 0 || isJson(incoming.header('content-type'));
  if (!isTyped || incoming.header('content-encoding') !== undefined)
    throw UNSUPPORTED_MEDIA_TYPE({ types: 'application/json' });
  return { query, body: parseBody(operation, bytes, path), upload: noUpload };
}

const empty: Parsed = { value: {}, wire: {} };
