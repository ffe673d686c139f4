import * as common from '#kernel/contract/common-faults.ts';
import type { FaultKind } from '#kernel/contract/fault.ts';
import { acceptsIdempotencyKey, isDeploymentScoped } from '#kernel/contract/operation.ts';
import { HEADER_TOO_LARGE } from './bearer.ts';
import type { BoundOperation } from './group.ts';
import { pagingFieldsOf } from './open-page.ts';

const cache = new WeakMap<BoundOperation, ReadonlyMap<string, FaultKind>>();

/**
 * Every fault that an operation can answer with: its own, those of its gates, and those that its declaration implies.
 */
export function faultsOf(bound: BoundOperation): ReadonlyMap<string, FaultKind> {
  let faults = cache.get(bound);
  if (!faults) {
    const kinds = [...impliedFaults(bound), ...bound.operation.faults, ...bound.gates.map((gate) => gate.fault)];
    faults = new Map(kinds.map((kind) => [kind.code, kind]));
    cache.set(bound, faults);
  }
  return faults;
}

function* impliedFaults({ operation }: BoundOperation): Generator<FaultKind> {
  yield common.RATE_LIMITED;
  yield common.INTERNAL;
  if (operation.transaction !== 'none') yield* [common.UNAVAILABLE, common.TOOK_TOO_LONG, common.INSUFFICIENT_STORAGE];
  if (operation.allow !== 'public') yield* credentialFaults(operation);
  if (operation.allow.includes(':')) yield common.PERMISSION_DENIED;
  if (Object.keys(operation.path.shape).length > 0) yield common.INVALID_PATH;
  if (isDeploymentScoped(operation)) yield common.NOT_FOUND;
  yield* inputFaults(operation);
  if (operation.isVersioned && !operation.isRead) yield common.VERSION_MISMATCH;
  if (acceptsIdempotencyKey(operation))
    yield* [common.IDEMPOTENCY_IN_FLIGHT, common.IDEMPOTENCY_MISMATCH, common.VALIDATION_FAILED];
}

function* credentialFaults({ credential }: BoundOperation['operation']): Generator<FaultKind> {
  yield* [common.MALFORMED_REQUEST, common.NO_CREDENTIALS, common.INVALID_CREDENTIALS, HEADER_TOO_LARGE];
  if (credential === 'user') return yield common.USER_JWT_REQUIRED;
  if (credential !== 'any-token') yield common.TOKEN_PERMISSION_MISSING;
  yield common.TOKEN_SCOPE_LIMITED;
}

function* inputFaults({ query, body, hasBody, upload }: BoundOperation['operation']): Generator<FaultKind> {
  if (Object.keys(query.shape).length > 0 || hasBody) yield common.VALIDATION_FAILED;
  if (hasBody) yield common.INVALID_JSON;
  if (hasBody || upload)
    yield* [common.MALFORMED_REQUEST, common.BODY_TOO_LARGE, common.UNSUPPORTED_MEDIA_TYPE, common.REQUEST_TIMEOUT];
  if ([query, body].some(({ shape }) => pagingFieldsOf(shape).has('cursor'))) yield common.INVALID_CURSOR;
}

const ROUTE_INDEPENDENT: readonly FaultKind[] = [
  common.ROUTE_NOT_FOUND,
  common.METHOD_NOT_ALLOWED,
  common.MALFORMED_REQUEST,
  common.REQUEST_TIMEOUT,
  common.EXPECTATION_FAILED,
  common.HEADERS_TOO_LARGE,
];

/** All faults, for the reference and for the page that the `type` of each problem links to. */
export function allFaults(bound: readonly BoundOperation[]): FaultKind[] {
  const faults = new Map(ROUTE_INDEPENDENT.map((kind) => [kind.code, kind]));
  for (const operation of bound) for (const [code, kind] of faultsOf(operation)) faults.set(code, kind);
  return [...faults.values()].sort((left, right) => (left.code < right.code ? -1 : 1));
}
