import { z } from 'zod';
import type { FaultKind } from './fault.ts';

export type FieldShape = Readonly<Record<string, z.ZodType>>;
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Maturity = 'experimental' | 'beta' | 'stable';

/** The names in braces of a route; `{name...}` spans several segments. */
type ParamsOf<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}...` ? Bare : Name) | ParamsOf<Rest>
  : never;

/** What a caller must be allowed to do; `public` needs no credential, `self` any valid one. */
export type RequiredPermission = 'public' | 'self' | `${string}:${string}`;

/** A body that is taken as a stream of bytes. */
export interface UploadSpec {
  /** Media types in lower case, without parameters. */
  types: readonly string[];
  /** Of the bytes as they are sent, which may be compressed with gzip. */
  limitBytes: number;
}

interface Facts {
  summary: string;
  description?: string;
  maturity: Maturity;
  allow: RequiredPermission;
  /** `user` takes only the JSON Web Token of a signed-in user. */
  scheme?: 'either' | 'user';
  status?: 200 | 201 | 202 | 204;
  /** What it answers with instead where the handler says so. */
  otherStatus?: 200;
  faults?: readonly FaultKind[];
  /** Not part of the reference contract: ours. */
  isExtension?: boolean;
  deprecated?: { since: string; successor?: string };
  /** Has an ETag in its replies and honours If-Match. */
  isVersioned?: boolean;
  /** The store lets PostgreSQL build the JSON text of the reply. */
  isPrebuilt?: boolean;
  /** Waits for the outside or computes for long, so it gets `read` and `transact` instead of a transaction. */
  isOutbound?: boolean;
  /** Needs no database, so that it answers while there is none. */
  isDetached?: boolean;
  /** Changes nothing, whatever its method. Follows from the permission where that says `:read`. */
  isRead?: boolean;
  /** A limit of its own beside the general one: `check` is counted by user and by deployment. */
  limitPolicy?: 'check';
  /** The member of the body that names the deployment, where the path names none. */
  deploymentMember?: string;
  /** Nothing names the deployment: it is that of the token, or the only one of a signed-in user. */
  deploymentOfCredential?: boolean;
  /** Belongs to the protocol of scanners, whose tokens have no Web API permission. */
  isScannerRoute?: boolean;
  /** Public, but shows more to those whom a credential names; one that is not good names nobody. */
  isCredentialOptional?: boolean;
  /** Takes a stream of bytes instead of JSON, and so has no transaction of its own: it is outbound. */
  upload?: UploadSpec;
  /** Answers with text or bytes of one of these types instead of JSON. */
  rawTypes?: readonly string[];
  /** May send a browser elsewhere, with 303, instead of answering. */
  mayRedirect?: boolean;
  /** The largest JSON body, where 1 MiB is not enough. */
  bodyLimitBytes?: number;
}

export interface OperationSpec<
  Route extends `${HttpMethod} /${string}`,
  Path extends Record<ParamsOf<Route>, z.ZodType>,
  Query extends FieldShape,
  Body extends FieldShape,
  Reply extends FieldShape,
> extends Facts {
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
> extends Omit<Facts, 'scheme' | 'status' | 'faults' | 'isRead'> {
  kind: 'operation';
  method: HttpMethod;
  template: string;
  scheme: 'either' | 'user';
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
  const { route, path, query, body, reply, isRead, ...facts } = spec;
  const [method, template] = route.split(' ') as [HttpMethod, string];
  return {
    ...facts,
    ...(spec.upload ? { isOutbound: true } : {}),
    kind: 'operation',
    method,
    template,
    scheme: spec.scheme ?? 'either',
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

/** True when a call belongs to one deployment. */
export const isDeploymentScoped = (operation: Operation): boolean =>
  deploymentParamOf(operation) !== undefined ||
  operation.deploymentMember !== undefined ||
  operation.deploymentOfCredential === true;

const DEPLOYMENT_PARAMS = ['deploymentId', 'deploymentSlug', 'deployment', 'orgid'];

/** The path parameter that names the deployment, if there is one. */
export const deploymentParamOf = (operation: Operation): string | undefined =>
  DEPLOYMENT_PARAMS.find((name) => name in operation.path.shape);
