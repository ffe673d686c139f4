import { type ApiInput, buildRequest } from './client.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a curl command. The token is read from an environment variable and never printed. */
export function curlCommand(operationId: string, input: ApiInput): string {
  const { method, url, headers, body } = buildRequest(operationId, input);
  return [
    `curl -X ${method} ${quoted(location.origin + url)}`,
    '-H "Authorization: Bearer $PARAPET_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}
