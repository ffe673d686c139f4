import { routes } from 'virtual:operations';
import type { z } from 'zod';
import type { Operation } from '#kernel/contract/operation.ts';
import type { OperationInput } from '#kernel/contract/operation-input.ts';
import { problemFromResponse, unreachableProblem } from './problem.ts';
import { authorizationHeader, readJson, withTokenRefresh } from './session.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** Receives the ETag of the reply, for `If-Match` on a later update. */
  onVersion?: (etag: string) => void;
}

/** A typed client for one service group. Only the types of the contract reach the browser. */
export type ServiceClient<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Operation ? Name : never]: Contract[Name] extends Operation
    ? (input: OperationInput<Contract[Name]>, options?: CallOptions) => Promise<z.input<Contract[Name]['reply']>>
    : never;
};

export interface ApiInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ApiRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Builds the HTTP request for an operation; it is either sent or shown by "Copy as curl". */
export function buildRequest(operationId: string, input: ApiInput): ApiRequest {
  const [method = '', template = ''] = (routes[operationId] ?? '').split(' ');
  if (template === '') throw new Error(`There is no operation ${operationId}.`);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.path?.[name])));
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const item of [value].flat()) if (item !== undefined) pairs.append(name, String(item));
  const url = pairs.size > 0 ? `${path}?${pairs}` : path;
  const hasBody = method !== 'GET' && (method !== 'DELETE' || input.body !== undefined);
  return {
    method,
    url,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...input.headers },
    ...(hasBody ? { body: JSON.stringify(input.body ?? {}) } : {}),
  };
}

async function send({ method, url, headers, body }: ApiRequest, options: CallOptions): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...headers, ...authorizationHeader() },
    body: body ?? null,
    signal: options.signal ?? null,
  }).catch((error: unknown) => {
    throw options.signal?.aborted ? error : unreachableProblem();
  });
  const reply = await readJson(response);
  if (!response.ok) throw problemFromResponse(response.status, reply);
  options.onVersion?.(response.headers.get('etag') ?? '');
  return reply;
}

/** Creates the client of a service group from the type of its contract. */
export function serviceClient<Contract>(group: string): ServiceClient<Contract> {
  return new Proxy({} as ServiceClient<Contract>, {
    get:
      (_, name) =>
      (input: ApiInput, options: CallOptions = {}) => {
        const request = buildRequest(`${group}_${pascal(String(name))}`, input);
        return withTokenRefresh(() => send(request, options));
      },
  });
}
