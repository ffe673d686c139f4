import { SemaphoreFull } from '#kernel/concurrency/semaphore.ts';
import { INSUFFICIENT_STORAGE, INTERNAL, TOOK_TOO_LONG, UNAVAILABLE } from '#kernel/contract/common-faults.ts';
import { Fault, type FaultKind, Outage, StatementTimeout, StorageFull } from '#kernel/contract/fault.ts';
import type { TextResponse } from '../message.ts';

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timed out',
  409: 'Conflict',
  410: 'Gone',
  412: 'Version mismatch',
  413: 'Too large',
  415: 'Unsupported media type',
  417: 'Expectation failed',
  422: 'Cannot be processed',
  428: 'Precondition required',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Unavailable',
  507: 'Insufficient storage',
};

/** The fault that stands for an error, such as UNAVAILABLE for an outage; INTERNAL for a defect. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof StatementTimeout) return TOOK_TOO_LONG();
  if (error instanceof Outage)
    return UNAVAILABLE(
      { dependency: error.dependency },
      { headers: { 'retry-after': String(error.retryAfterSeconds) } },
    );
  if (error instanceof StorageFull) return INSUFFICIENT_STORAGE({ reason: error.reason });
  if (error instanceof SemaphoreFull)
    return UNAVAILABLE({ dependency: 'password check' }, { headers: { 'retry-after': '2' } });
  return INTERNAL();
}

/** Renders a fault as RFC 9457 problem details, with the member `error` that existing clients read. */
export function problemResponse(fault: Fault, requestId: string): TextResponse {
  const { kind, extras } = fault;
  const body = {
    type: `/docs/errors#${kind.code}`,
    title: TITLES[kind.status] ?? 'Error',
    status: kind.status,
    detail: fault.message,
    instance: `urn:request:${requestId}`,
    code: kind.code,
    requestId,
    errors: extras.errors ?? [],
    hint: kind.hint,
    error: fault.message,
    ...extras.members,
  };
  return {
    status: kind.status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      ...(kind.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...extras.headers,
    },
    body: JSON.stringify(body),
  };
}

const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A fault as an error of SCIM (RFC 7644, section 3.12), which has no place for the code but in a header. */
export function scimErrorResponse(fault: Fault, requestId: string): TextResponse {
  const { headers, status } = problemResponse(fault, requestId);
  const { scimType } = fault.extras.members ?? {};
  const body = { schemas: [SCIM_ERROR], status: String(status), ...(scimType !== undefined && { scimType }) };
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/scim+json; charset=utf-8',
      'x-error-code': fault.kind.code,
    },
    body: JSON.stringify({ ...body, detail: fault.message }),
  };
}

export const isServerSide = (kind: FaultKind): boolean => kind.status >= 500;
