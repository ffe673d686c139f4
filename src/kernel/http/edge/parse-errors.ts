import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  EXPECTATION_FAILED,
  HEADERS_TOO_LARGE,
  MALFORMED_REQUEST,
  METHOD_NOT_ALLOWED,
  REQUEST_TIMEOUT,
} from '#kernel/contract/common-faults.ts';
import type { Fault } from '#kernel/contract/fault.ts';
import { problemResponse } from './problem.ts';
import type { BodyTimeouts } from './request-body.ts';
import { requestIdOf } from './request-id.ts';

/** The fault for a request that Node could not parse. */
function faultOf(code: string | undefined): Fault {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return HEADERS_TOO_LARGE();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return REQUEST_TIMEOUT();
    default:
      return MALFORMED_REQUEST({ reason: 'it is not HTTP as the standard defines it' });
  }
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Answers requests that Node cannot parse with the same problem format and headers as all others. A client that does
 * not close its side afterwards is disconnected.
 */
export function answerParseErrors(
  server: Server,
  { headers, timeouts }: { headers: Record<string, string>; timeouts: Pick<BodyTimeouts, 'lingerMs'> },
): void {
  const end = (socket: Duplex, fault: Fault) => {
    if (!socket.writable) return socket.destroy();
    const { status, headers: own, body } = problemResponse(fault, requestIdOf(undefined));
    const all = { ...headers, ...own, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const timer = setTimeout(() => socket.destroy(), timeouts.lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
    return socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else end(socket, faultOf(error.code));
  });
  server.on('connect', (_: IncomingMessage, socket: Duplex) =>
    end(socket, METHOD_NOT_ALLOWED({ method: 'CONNECT' }, { headers: { allow: 'GET, POST, PUT, PATCH, DELETE' } })),
  );
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const { status, headers: own, body } = problemResponse(EXPECTATION_FAILED(), requestIdOf(undefined));
    response.writeHead(status, { ...headers, ...own, connection: 'close' }).end(body);
  });
}
