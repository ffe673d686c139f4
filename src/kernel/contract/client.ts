import type { z } from 'zod';
import { isOperation, type Operation } from './operation.ts';
import type { OperationInput } from './operation-input.ts';

/** Where and with which credential requests are sent. */
export interface ClientTransport {
  baseUrl: string;
  token?: string;
  headers?: Record<string, string>;
}

/** A response: on success the body has the shape of the contract, otherwise it is a problem. */
export interface ClientReply<Body> {
  status: number;
  headers: Headers;
  body: Body;
  /** The body as it was sent; for a raw reply this is all there is. */
  text: string;
  problem: { code: string; detail: string; errors: { pointer: string; code: string; detail: string }[] };
}

export type ContractClient<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Operation ? Name : never]: Contract[Name] extends Operation
    ? (input: OperationInput<Contract[Name]>) => Promise<ClientReply<z.input<Contract[Name]['reply']>>>
    : never;
};

export function operationUrl(
  operation: Operation,
  path: Record<string, unknown>,
  query: Record<string, unknown> = {},
): string {
  const filled = operation.template.replace(/\{(\w+)(\.\.\.)?\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) pairs.append(name, String(item));
  return pairs.size > 0 ? `${filled}?${pairs}` : filled;
}

const contentTypeOf = ({ hasBody, upload, mediaType }: Operation): Record<string, string> => {
  const type = upload?.types[0] ?? (hasBody ? (mediaType ?? 'application/json') : undefined);
  return type === undefined ? {} : { 'content-type': type };
};

/** The body for `fetch`; a stream is sent completely before the response arrives. */
function contentOf({ hasBody, upload }: Operation, input: Partial<OperationInput<Operation>>) {
  if (upload) return { body: input.upload ?? '', duplex: 'half' as const };
  return hasBody ? { body: JSON.stringify(input.body ?? {}) } : {};
}

export async function sendRequest(
  operation: Operation,
  transport: ClientTransport,
  input: Partial<OperationInput<Operation>>,
) {
  const url = transport.baseUrl + operationUrl(operation, input.path ?? {}, input.query);
  const response = await fetch(url, {
    method: operation.method,
    headers: {
      ...(transport.token === undefined ? {} : { authorization: `Bearer ${transport.token}` }),
      ...contentTypeOf(operation),
      ...transport.headers,
      ...input.headers,
    },
    ...contentOf(operation, input),
  });
  const text = await response.text();
  const isJson = /^application\/(problem\+|scim\+)?json\b/.test(response.headers.get('content-type') ?? '');
  const body = isJson && text !== '' ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, body, text, problem: body };
}

/** A typed client for a contract, without code generation. */
export function client<Contract extends object>(
  contract: Contract,
  transport: ClientTransport,
): ContractClient<Contract> {
  const calls = Object.entries(contract).flatMap(([name, operation]) =>
    isOperation(operation)
      ? [[name, (input: Partial<OperationInput<Operation>>) => sendRequest(operation, transport, input)] as const]
      : [],
  );
  return Object.fromEntries(calls) as unknown as ContractClient<Contract>;
}
