import { MALFORMED_REQUEST } from '#kernel/contract/common-faults.ts';

/**
 * Headers that may be sent once only, and that decide where a request goes, what its body is, or whether it is carried
 * out. Node keeps the first or joins them, while a proxy may have used another one (RFC 9112, section 3.2). Several
 * Authorization headers are refused where credentials are read; public operations ignore them.
 */
const SINGLETONS: ReadonlyMap<string, string> = new Map(
  ['Host', 'Content-Type', 'Content-Length', 'Content-Encoding', 'Origin', 'Idempotency-Key'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** Refuses a request that repeats such a header. The list has names and values in turn, as the client sent them. */
export function requireSingletonHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = SINGLETONS.get(rawHeaders[index]?.toLowerCase() ?? '');
    if (name === undefined) continue;
    if (seen.has(name)) throw MALFORMED_REQUEST({ reason: `more than one ${name} header` });
    seen.add(name);
  }
}
