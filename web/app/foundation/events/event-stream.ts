import { delay } from '../api/delay.ts';
import { problemFromResponse } from '../api/problem.ts';
import { authorizationHeader, withTokenRefresh } from '../api/session.ts';
import { type LiveEvent, parseEvents } from './parse-events.ts';

interface EventListeners {
  onEvent: (event: LiveEvent) => void;
  /** The connection is back after a failure. */
  onReconnect: () => void;
}

const RETRY_MS = 3000;
const MAX_RETRY_MS = 60_000;

/** Uses `fetch`, because `EventSource` cannot send the access token in a header. */
async function open(deploymentId: string, lastId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`/api/events/v1/deployments/${deploymentId}`, {
    headers: {
      accept: 'text/event-stream',
      ...(lastId === '' ? {} : { 'last-event-id': lastId }),
      ...authorizationHeader(),
    },
    signal,
  });
  if (!response.ok || !response.body) throw problemFromResponse(response.status, {});
  return response.body;
}

/** Reads one connection until it ends or fails. */
async function readStream(stream: ReadableStream<Uint8Array>, onEvent: (event: LiveEvent) => void): Promise<void> {
  let rest = '';
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const parsed = parseEvents(rest + chunk.value);
    rest = parsed.rest;
    for (const event of parsed.events) onEvent(event);
  }
}

/** Delivers every event until the signal aborts; a lost connection resumes after the last event received. */
async function follow(
  deploymentId: string,
  signal: AbortSignal,
  { onEvent, onReconnect }: EventListeners,
): Promise<void> {
  let lastId = '';
  for (let failures = 0; !signal.aborted; ) {
    try {
      const stream = await withTokenRefresh(() => open(deploymentId, lastId, signal));
      if (failures > 0) onReconnect();
      failures = 0;
      await readStream(stream, (event) => {
        lastId = event.id;
        onEvent(event);
      });
    } catch {
      failures++;
    }
    await delay(Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS), signal);
  }
}

/**
 * Streams the events of a deployment to all tabs of the browser. One tab holds the connection and broadcasts to the
 * others, because a browser limits the connections per server.
 */
export async function streamEvents(
  deploymentId: string,
  signal: AbortSignal,
  { onEvent, onReconnect }: EventListeners,
): Promise<void> {
  const name = `parapet-events-${deploymentId}`;
  const otherTabs = new BroadcastChannel(name);
  otherTabs.onmessage = ({ data }) => onEvent(data as LiveEvent);
  signal.addEventListener('abort', () => otherTabs.close());
  const broadcast = (event: LiveEvent) => {
    onEvent(event);
    otherTabs.postMessage(event);
  };
  const lead = () => follow(deploymentId, signal, { onEvent: broadcast, onReconnect });
  // When the tab that holds the lock closes or stops, the next tab takes over.
  await (navigator.locks ? navigator.locks.request(name, { signal }, lead).catch(() => {}) : lead());
}
