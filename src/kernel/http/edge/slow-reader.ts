import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes the connection of a client that reads nothing of its response for this time: the response would stay in memory
 * and its source, such as an export, open. A response whose source is slow is not affected.
 */
export function disconnectIdleReader(response: ServerResponse, timeoutMs: number): void {
  response.setTimeout(timeoutMs, () => waitOrDisconnect(response.socket, timeoutMs));
}

/** The timeout of a socket fires once, and not while a write makes progress. */
function waitOrDisconnect(socket: Socket | null, timeoutMs: number): void {
  if (socket === null) return;
  if (socket.writableLength > 0) socket.destroy();
  else socket.setTimeout(timeoutMs);
}
