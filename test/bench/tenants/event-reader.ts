import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Tenant } from './tenants-bench.ts';

/** An open event stream that reads and discards. */
export interface EventReader {
  isOpen(): boolean;
  close(): void;
}

/** Opens a stream of live events. Rejects unless the server accepts it. */
export async function openEvents(baseUrl: string, { id, token }: Pick<Tenant, 'id' | 'token'>): Promise<EventReader> {
  const sent = request(`${baseUrl}/api/events/v1/deployments/${id}`, {
    agent: false,
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) {
    sent.destroy();
    throw new Error(`An event stream was refused with ${response.statusCode}.`);
  }
  let isOpen = true;
  const end = () => {
    isOpen = false;
  };
  sent.on('error', end);
  response.on('error', end).on('close', end).resume();
  return { isOpen: () => isOpen, close: () => sent.destroy() };
}
