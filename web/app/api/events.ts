import { problemOf } from './problem.ts';
import { asPerson, bearer } from './session.ts';

export interface LiveEvent {
  id: string;
  type: string;
  at: string;
  deploymentId: string;
  data: Record<string, unknown>;
}

const RETRY_MS = 3000;
const LONGEST_RETRY_MS = 60_000;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The stream is read with `fetch`, because `EventSource` cannot send the access token in a header. */
async function open(deploymentId: string, lastId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`/api/events/v1/deployments/${deploymentId}`, {
    headers: { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }), ...bearer() },
    signal,
  });
  if (!response.ok || !response.body) throw problemOf(response.status, {});
  return response.body;
}

/** Splits the text of a stream into its events; what is not ended yet waits for the rest. */
export function takeEvents(text: string): { events: LiveEvent[]; rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.flatMap((block) => {
    const data = block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join('\n');
    return data === '' ? [] : [JSON.parse(data) as LiveEvent];
  });
  return { events, rest };
}

/** Hands over every event until the signal says stop; a connection that breaks is made again where it ended. */
export async function followEvents(
  deploymentId: string,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  let lastId = '';
  for (let failures = 0; !signal.aborted; ) {
    try {
      const stream = await asPerson(() => open(deploymentId, lastId, signal));
      failures = 0;
      let rest = '';
      const reader = stream
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        const taken = takeEvents(rest + piece.value);
        rest = taken.rest;
        for (const event of taken.events) {
          lastId = event.id;
          onEvent(event);
        }
      }
    } catch {
      failures++;
    }
    await pause(Math.min(RETRY_MS * 2 ** failures, LONGEST_RETRY_MS), signal);
  }
}
