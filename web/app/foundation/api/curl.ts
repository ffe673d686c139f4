import { type ApiInput, buildRequest } from './client.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same call for a terminal; the token is named, never shown. */
export function curlCommand(operationId: string, input: ApiInput): string {
  const { method, url, headers, body } = buildRequest(operationId, input);
  return [
    `curl -X ${method} ${quoted(location.origin + url)}`,
    '-H "Authorization: Bearer $PARAPET_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}
