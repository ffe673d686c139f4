import type { Egress, EgressRequest } from './egress.ts';

/** The part of fetch that libraries use when they bring their own protocol. */
export interface FetchOptions {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

/** A `fetch` for libraries whose requests must go through the egress client. */
export function egressFetch(egress: Egress, { tenant, timeoutMs }: Pick<EgressRequest, 'tenant' | 'timeoutMs'>) {
  return async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const reply = await egress.request({
      ...{ url, tenant, timeoutMs, headers },
      method: method as EgressRequest['method'],
      body: body === undefined || body === null ? undefined : String(body),
    });
    const isEmpty = reply.status === 204 || reply.status === 205;
    return new Response(isEmpty ? null : new Uint8Array(reply.body), {
      status: reply.status,
      headers: withoutEncoding(reply.headers),
    });
  };
}

/** The egress client has decoded the body. */
const withoutEncoding = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(content|transfer)-(encoding|length)$/.test(name)));
