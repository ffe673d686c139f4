import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

interface Recorded {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

export interface ReplayStep {
  path: string;
  status: number;
  reply: Record<string, unknown>;
}

/** The recorded requests of a scanner. */
export async function recordingOf(name: string): Promise<Recorded[]> {
  const text = await readFile(`test/fixtures/semgrep-wire/${name}.jsonl`, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
}

/** As strict as the decoder of the scanner: any null ends it. */
function refuseNulls(value: unknown, where: string): void {
  assert.notEqual(value, null, `${where} is null`);
  if (Array.isArray(value)) for (const [index, one] of value.entries()) refuseNulls(one, `${where}[${index}]`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) refuseNulls(one, `${where}.${name}`);
}

/** The id of the scan in the replies of all protocol versions. A string instead of a number ends the scanner. */
function scanIdOf(reply: Record<string, unknown>): number | undefined {
  const info = (reply['info'] ?? reply['scan']) as Record<string, unknown> | undefined;
  if (info === undefined) return undefined;
  assert.ok(Array.isArray(info['enabled_products']) && info['enabled_products'].length > 0, 'no products');
  if (info['id'] === undefined) return undefined;
  assert.equal(typeof info['id'], 'number', 'the id is not a number');
  return info['id'] as number;
}

/** Replays a recorded run against a server like the scanner: uses the replies it gets, and fails where it would. */
export async function replay(
  recorded: readonly Recorded[],
  { baseUrl, token, change = (body) => body }: { baseUrl: string; token: string; change?: (body: object) => object },
): Promise<ReplayStep[]> {
  const steps: ReplayStep[] = [];
  let scan: number | undefined;
  for (const { method, path, headers, body } of recorded) {
    const target = path.replace('/scans/4242/', `/scans/${scan}/`);
    const response = await fetch(`${baseUrl}${target}`, {
      method,
      headers: {
        'user-agent': headers['User-Agent'] ?? 'Semgrep',
        ...(target.startsWith('/api/check-version') ? {} : { authorization: `Bearer ${token}` }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(change(body as object)) } : {}),
    });
    const reply = (await response.json()) as Record<string, unknown>;
    if (response.status === 200) refuseNulls(reply, target);
    if (target.endsWith('/results') && response.status === 200) assert.ok(Array.isArray(reply['errors']), 'no errors');
    if (target.endsWith('/complete') && response.status === 200) assert.equal(reply['success'], true);
    scan ??= scanIdOf(reply);
    steps.push({ path: target, status: response.status, reply });
  }
  return steps;
}
