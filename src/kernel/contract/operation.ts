import { z } from 'zod';
import type { FaultKind } from './fault.ts';

export type FieldShape = Readonly<Record<string, z.ZodType>>;
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Maturity = 'experimental' | 'beta' | 'stable';

/** The parameters of a route; `{name...}` spans several segments. */
type ParamsOf<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}...` ? Bare : Name) | ParamsOf<Rest>
  : never;

/** The permission that a caller needs; `public` needs no credential, `self` any valid one. */
export type RequiredPermission = 'public' | 'self' | `${string}:${string}`;

/** A body that is read as a stream of bytes. */
export interface UploadSpec {
  /** Media types in lower case, without parameters. */
  types: readonly string[];
  /** Of the bytes as they are sent, which may be compressed. */
  limitBytes: number;
}

/**
 * Which credentials an operation accepts. `any`: a session, or an API token with the Web API permission. `any-token`:
 * the same, but a token needs no Web API permission. `user`: only the session of a signed-in user. `optional`: none is
 * needed; a valid one as with `any-token` may show more, and an invalid one counts as none.
 */
export type AcceptedCredential = 'any' | 'any-token' | 'user' | 'optional';

/**
 * Who opens the transaction of an operation. `automatic`: the pipeline, one around the whole handler. `manual`: the
 * handler, short ones through `read` and `transact`, because it waits for the outside or computes for long. `none`:
 * nobody, so that the operation answers while the database is down.
 */
export type TransactionMode = 'automatic' | 'manual' | 'none';

/** What names the deployment of a call. */
export type DeploymentSource =
  | { kind: 'path'; param: string }
  /** With `until`, the deployment is the part of the member before this text. */
  | { kind: 'body'; member: string; until?: string }
  | { kind: 'credential' }
  | { kind: 'none' };

/** A reply of text or bytes instead of JSON. */
export interface RawReplySpec {
  /** Media types in lower case, without parameters. */
  types: readonly string[];
}

interface Options {
  summary: string;
  description?: string;
  maturity: Maturity;
  allow: RequiredPermission;
  credential?: AcceptedCredential;
  status?: 200 | 201 | 202 | 204;
  /** A second success status, which the handler chooses. */
  otherStatus?: 200;
  faults?: readonly FaultKind[];
  /** True for operations that the reference contract does not have. */
  isExtension?: boolean;
  deprecated?: { since: string; successor?: string };
  /** Replies carry an ETag, and writes honour If-Match. */
  isVersioned?: boolean;
  /** The write needs If-Match, and the handler compares it; what it refuses is among its faults. */
  requiresIfMatch?: boolean;
  transaction?: TransactionMode;
  /** True when it changes nothing. By default it follows from the method GET and from a permission `…:read`. */
  isRead?: boolean;
  /**
   * Refuses query parameters and members of the body that the contract does not have, because without a misspelt one it
   * would do more: a filter, the rights of somebody, or an expiry. Otherwise they are ignored.
   */
  isStrict?: boolean;
  /**
   * A rate limit of its own. `check` counts by user and by deployment, besides the general limit. `hook` counts by path
   * instead of by address: a host sends the events of thousands of repositories from a few addresses.
   */
  limitPolicy?: 'check' | 'hook';
  /** What names the deployment when the path does not: the credential, or a member of the body. */
  deployment?: 'credential' | { bodyMember: string; until?: string };
  /** Takes a stream of bytes instead of a JSON body, which makes the transaction manual. */
  upload?: UploadSpec;
  raw?: RawReplySpec;
  /** The media type of its replies and errors, and of bodies besides `application/json`; that one if absent. */
  mediaType?: 'application/scim+json';
  /** The largest JSON body, where the default of 1 MiB is too small. */
  bodyLimitBytes?: number;
}

export interface OperationSpec<
  Route extends `${HttpMethod} /${string}`,
  Path extends Record<ParamsOf<Route>, z.ZodType>,
  Query extends FieldShape,
  Body extends FieldShape,
  Reply extends FieldShape,
> extends Options {
  route: Route;
  path?: Path;
  query?: Query;
  body?: Body;
  reply: Reply;
}

export interface Operation<
  Path extends FieldShape = FieldShape,
  Query extends FieldShape = FieldShape,
  Body extends FieldShape = FieldShape,
  Reply extends FieldShape = FieldShape,
> extends Omit<Options, 'status' | 'faults' | 'isRead' | 'deployment'> {
  kind: 'operation';
  method: HttpMethod;
  template: string;
  credential: AcceptedCredential;
  transaction: TransactionMode;
  deployment: DeploymentSource;
  status: number;
  faults: readonly FaultKind[];
  isRead: boolean;
  hasBody: boolean;
  path: z.ZodObject<Path>;
  query: z.ZodObject<Query>;
  body: z.ZodObject<Body>;
  reply: z.ZodObject<Reply>;
}

/** Declares one operation of the API: everything else about it is derived from this. */
export function operation<
  const Route extends `${HttpMethod} /${string}`,
  Path extends Record<ParamsOf<Route>, z.ZodType>,
  Reply extends FieldShape,
  Query extends FieldShape = Record<never, never>,
  Body extends FieldShape = Record<never, never>,
>(spec: OperationSpec<Route, Path, Query, Body, Reply>): Operation<Path, Query, Body, Reply> {
  const { route, path, query, body, reply, isRead, deployment, ...options } = spec;
  const [method, template] = route.split(' ') as [HttpMethod, string];
  return {
    ...options,
    kind: 'operation',
    method,
    template,
    credential: spec.credential ?? 'any',
    transaction: spec.upload ? 'manual' : (spec.transaction ?? 'automatic'),
    deployment: deploymentSourceOf(path ?? {}, deployment),
    status: spec.status ?? 200,
    faults: spec.faults ?? [],
    isRead: isRead ?? (method === 'GET' || spec.allow.endsWith(':read')),
    hasBody: body !== undefined,
    path: z.object(path ?? ({} as Path)),
    query: z.object(query ?? ({} as Query)),
    body: z.object(body ?? ({} as Body)),
    reply: z.object(reply),
  };
}

export const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'operation';

const DEPLOYMENT_PARAMS = ['deploymentId', 'deploymentSlug', 'deployment', 'orgid'];

function deploymentSourceOf(path: FieldShape, declared: Options['deployment']): DeploymentSource {
  const param = DEPLOYMENT_PARAMS.find((name) => name in path);
  if (param !== undefined) return { kind: 'path', param };
  if (declared === undefined) return { kind: 'none' };
  return declared === 'credential'
    ? { kind: 'credential' }
    : { kind: 'body', member: declared.bodyMember, ...(declared.until !== undefined && { until: declared.until }) };
}

/** True when a call belongs to one deployment. */
export const isDeploymentScoped = ({ deployment }: Operation): boolean => deployment.kind !== 'none';

/** The path parameter that names the deployment, if there is one. */
export const deploymentParamOf = ({ deployment }: Operation): string | undefined =>
  deployment.kind === 'path' ? deployment.param : undefined;

/** True for writes whose reply can be stored under an Idempotency-Key, in the transaction of their effect. */
export const acceptsIdempotencyKey = ({ isRead, allow, transaction }: Operation): boolean =>
  !isRead && allow !== 'public' && transaction === 'automatic';
