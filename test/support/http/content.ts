import type { Operation } from '#kernel/contract/operation.ts';
import type { ExampleCall } from '#kernel/http/openapi/example-calls.ts';

export interface Content {
  headers: Record<string, string>;
  body: string | undefined;
}

/** The body of a call and its content type; `raw` is sent verbatim. */
export function contentOf(
  { hasBody, upload }: Operation,
  call: Pick<ExampleCall, 'body' | 'upload'> & { raw?: string | undefined },
): Content {
  if (upload) return { headers: { 'content-type': upload.types[0] ?? '' }, body: call.raw ?? call.upload ?? '' };
  if (!hasBody) return { headers: {}, body: undefined };
  return { headers: { 'content-type': 'application/json' }, body: call.raw ?? JSON.stringify(call.body ?? {}) };
}
