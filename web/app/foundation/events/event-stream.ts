import { delay } from '../api/delay.ts';
import { problemFromResponse } from '../api/problem.ts';
import { authorizationHeader, withTokenRefresh } from '../api/session.ts';
import { type LiveEvent, parseEvents } from './parse-events.ts';

const RETRY_MS = 3000;
const LONGEST_RETRY_MS = 60_000;

/** The stream is read with `fetch`, because `EventSource` cannot send the access token in a header. */
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

/** Reads one connection to its end, or to its break. */
async function readStream(stream: ReadableStream<Uint8Array>, onEvent: (event: LiveEvent) => void): Promise<void> {
  let rest = '';
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const taken = parseEvents(rest + piece.value);
    rest = taken.rest;
    for (const event of taken.events) onEvent(event);
  }
}

/** Hands over every event until the signal says stop; a connection that breaks is made again where it ended. */
async function follow(deploymentId: string, signal: AbortSignal, onEvent: (event: LiveEvent) => void): Promise<void> {
  let lastId = '';
  for (let failures = 0; !signal.aborted; ) {
    try {
      const stream = await withTokenRefresh(() => open(deploymentId, lastId, signal));
      failures = 0;
      await readStream(stream, (event) => {
        lastId = event.id;
        onEvent(event);
      });
    } catch {
      failures++;
    }
    await delay(Math.min(RETRY_MS * 2 ** failures, LONGEST_RETRY_MS), signal);
  }
}

/**
 * The events of a deployment, for all tabs of the browser: one of them holds the connection and tells the others,
 * because a browser opens only a few connections to one server.
 */
export async function streamEvents(
  deploymentId: string,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  const name = `parapet-events-${deploymentId}`;
  const others = new BroadcastChannel(name);
  others.onmessage = ({ data }) => onEvent(data as LiveEvent);
  signal.addEventListener('abort', () => others.close());
  const tell = (event: LiveEvent) => {
    onEvent(event);
    others.postMessage(event);
  };
  const lead = () => follow(deploymentId, signal, tell);
  // A tab that goes away, or is told to stop, lets the next one lead.
  await (navigator.locks ? navigator.locks.request(name, { signal }, lead).catch(() => {}) : lead());
}
