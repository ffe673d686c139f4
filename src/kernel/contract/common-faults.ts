import { fault } from './fault.ts';

/** Faults of the pipeline itself; every operation has those that its declaration implies. */

export const MALFORMED_REQUEST = fault(
  'MALFORMED_REQUEST',
  400,
  'The request is not well formed: {reason}.',
  'Send a well-formed request line and headers: Host, Authorization and Content-Type once each.',
);
export const INVALID_JSON = fault(
  'INVALID_JSON',
  400,
  'The body is not acceptable JSON: {reason} (line {line}, column {column}).',
  'Send one JSON object in UTF-8, without repeated members, within the documented limits.',
);
export const VALIDATION_FAILED = fault(
  'VALIDATION_FAILED',
  400,
  'The request has {count}: {first}',
  'Correct each member listed in `errors`, then send the request again.',
);
export const INVALID_CURSOR = fault(
  'INVALID_CURSOR',
  400,
  'This cursor does not belong to this list.',
  'Use a cursor only with the operation, deployment and filter that gave it, within 24 hours; leave it empty to start.',
);
export const INVALID_PATH = fault(
  'INVALID_PATH',
  400,
  'The path parameter {name} is not acceptable: {reason}.',
  'Use the decimal id, or for deployments the slug.',
);
export const NO_CREDENTIALS = fault(
  'NO_CREDENTIALS',
  401,
  'This operation needs a bearer credential.',
  'Send `Authorization: Bearer <token>` with an API token or the access token of a session.',
);
export const INVALID_CREDENTIALS = fault(
  'INVALID_CREDENTIALS',
  401,
  'Invalid Authorization',
  'The credential is unknown, expired or revoked: sign in again or create a new token.',
);
export const TOKEN_PERMISSION_MISSING = fault(
  'TOKEN_PERMISSION_MISSING',
  403,
  'The API token {name} was created without the Web API permission.',
  'Create a token with the Web API permission enabled.',
);
export const TOKEN_SCOPE_LIMITED = fault(
  'TOKEN_SCOPE_LIMITED',
  403,
  'The API token {name} has limited scopes of access ({scopes}) and cannot be used here.',
  'Create a token without limited scopes.',
);
export const USER_JWT_REQUIRED = fault(
  'USER_JWT_REQUIRED',
  403,
  'This operation is for signed-in users; API tokens are not accepted.',
  'Sign in and send the access token of the session.',
);
export const PERMISSION_DENIED = fault(
  'PERMISSION_DENIED',
  403,
  'Your role does not include the permission {permission}.',
  'Ask an administrator of the deployment.',
);
export const ROUTE_NOT_FOUND = fault(
  'ROUTE_NOT_FOUND',
  404,
  'The requested URL was not found on the server.',
  'See /docs/api for all paths; a path has no trailing slash.',
);
export const NOT_FOUND = fault(
  'NOT_FOUND',
  404,
  'Not found: it does not exist, or you may not see it.',
  'Check the id and the deployment; ask an administrator whether you have access.',
);
export const METHOD_NOT_ALLOWED = fault(
  'METHOD_NOT_ALLOWED',
  405,
  'This path does not take the method {method}.',
  'The Allow header lists the methods it takes.',
);
export const VERSION_MISMATCH = fault(
  'VERSION_MISMATCH',
  412,
  'The object has changed since the version named in If-Match.',
  'Read it again, apply your change to what is there now, and send its new ETag.',
);
export const BODY_TOO_LARGE = fault(
  'BODY_TOO_LARGE',
  413,
  'The body is larger than {limit} bytes.',
  'Send less in one request.',
);
export const UNSUPPORTED_MEDIA_TYPE = fault(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'The body must be sent as {types}.',
  'Set `Content-Type` to that; JSON is UTF-8 and not compressed, an upload may be compressed with gzip.',
);
export const REQUEST_TIMEOUT = fault(
  'REQUEST_TIMEOUT',
  408,
  'The request did not arrive in time.',
  'Send headers within 10 seconds, the whole request within 30, and of an upload at least 64 KiB in each 30.',
);
export const EXPECTATION_FAILED = fault(
  'EXPECTATION_FAILED',
  417,
  'The only expectation that can be met is 100-continue.',
  'Leave the Expect header out.',
);
export const HEADERS_TOO_LARGE = fault(
  'HEADERS_TOO_LARGE',
  431,
  'The headers are larger than 16 KiB, or more than 100.',
  'Send fewer and shorter headers.',
);
export const IDEMPOTENCY_IN_FLIGHT = fault(
  'IDEMPOTENCY_IN_FLIGHT',
  409,
  'A request with this Idempotency-Key is still running.',
  'Wait and send the same request again.',
);
export const IDEMPOTENCY_MISMATCH = fault(
  'IDEMPOTENCY_MISMATCH',
  422,
  'This Idempotency-Key was used with another request.',
  'Use a new key for a new request.',
);
export const RATE_LIMITED = fault(
  'RATE_LIMITED',
  429,
  'Too many requests for the limit "{policy}".',
  'Wait as long as the Retry-After header says.',
);
export const INTERNAL = fault(
  'INTERNAL',
  500,
  'Something went wrong on the server; the request id finds it in the log.',
  'Try again; if it stays, give the request id to the operator.',
);
export const TOOK_TOO_LONG = fault(
  'TOOK_TOO_LONG',
  503,
  'The request took longer than the server allows; it was cancelled and nothing was changed.',
  'Ask for less: a narrower filter, fewer projects or a smaller page. The same request would take as long again.',
);
export const UNAVAILABLE = fault(
  'UNAVAILABLE',
  503,
  'The {dependency} does not answer right now.',
  'Try again after the time that Retry-After names.',
);
export const INSUFFICIENT_STORAGE = fault(
  'INSUFFICIENT_STORAGE',
  507,
  'The server has too little disk space for this request: {reason}.',
  'Nothing was changed, and reading still works. Ask the operator to free disk space, then send the request again; ' +
    'uploads are refused below PARAPET_MIN_FREE_DISK_MB.',
);
