import * as common from '#kernel/contract/common-faults.ts';
import type { FaultKind } from '#kernel/contract/fault.ts';
import { acceptsIdempotencyKey, isDeploymentScoped } from '#kernel/contract/operation.ts';
import { HEADER_TOO_LARGE } from './bearer.ts';
import type { BoundOperation } from './group.ts';
import { pagingFieldsOf } from './open-page.ts';

const known = new WeakMap<BoundOperation, ReadonlyMap<string, FaultKind>>();

/** Every fault that an operation can answer with: its own, its gates', and those that its shape makes possible. */
export function faultsOf(bound: BoundOperation): ReadonlyMap<string, FaultKind> {
  let faults = known.get(bound);
  if (!faults) {
    const kinds = [...ofShape(bound), ...bound.operation.faults, ...bound.gates.map((gate) => gate.fault)];
    faults = new Map(kinds.map((kind) => [kind.code, kind]));
    known.set(bound, faults);
  }
  return faults;
}

function* ofShape({ operation }: BoundOperation): Generator<FaultKind> {
  yield common.RATE_LIMITED;
  yield common.INTERNAL;
  if (operation.transaction !== 'none') yield common.UNAVAILABLE;
  if (operation.allow !== 'public') yield* ofCredentials(operation);
  if (operation.allow.includes(':')) yield common.PERMISSION_DENIED;
  if (Object.keys(operation.path.shape).length > 0) yield common.INVALID_PATH;
  if (isDeploymentScoped(operation)) yield common.NOT_FOUND;
  if (operation.deployment.kind === 'credential') yield common.DEPLOYMENT_AMBIGUOUS;
  yield* ofInput(operation);
  if (operation.isVersioned && !operation.isRead) yield common.VERSION_MISMATCH;
  if (acceptsIdempotencyKey(operation))
    yield* [common.IDEMPOTENCY_IN_FLIGHT, common.IDEMPOTENCY_MISMATCH, common.VALIDATION_FAILED];
}

function* ofCredentials({ credential }: BoundOperation['operation']): Generator<FaultKind> {
  yield* [common.MALFORMED_REQUEST, common.NO_CREDENTIALS, common.INVALID_CREDENTIALS, HEADER_TOO_LARGE];
  if (credential === 'user') return yield common.USER_JWT_REQUIRED;
  if (credential !== 'scanner') yield common.TOKEN_PERMISSION_MISSING;
  yield common.TOKEN_SCOPE_LIMITED;
}

function* ofInput({ query, body, hasBody, upload }: BoundOperation['operation']): Generator<FaultKind> {
  if (Object.keys(query.shape).length > 0 || hasBody) yield common.VALIDATION_FAILED;
  if (hasBody) yield common.INVALID_JSON;
  if (hasBody || upload)
    yield* [common.MALFORMED_REQUEST, common.BODY_TOO_LARGE, common.UNSUPPORTED_MEDIA_TYPE, common.REQUEST_TIMEOUT];
  if ([query, body].some(({ shape }) => pagingFieldsOf(shape).has('cursor'))) yield common.INVALID_CURSOR;
}

const anywhere: readonly FaultKind[] = [
  common.ROUTE_NOT_FOUND,
  common.METHOD_NOT_ALLOWED,
  common.MALFORMED_REQUEST,
  common.REQUEST_TIMEOUT,
  common.EXPECTATION_FAILED,
  common.HEADERS_TOO_LARGE,
];

/** The whole catalogue, for the reference and the page behind the `type` of each problem. */
export function allFaults(bound: readonly BoundOperation[]): FaultKind[] {
  const faults = new Map(anywhere.map((kind) => [kind.code, kind]));
  for (const one of bound) for (const [code, kind] of faultsOf(one)) faults.set(code, kind);
  return [...faults.values()].sort((one, other) => (one.code < other.code ? -1 : 1));
}
