/** A request as the HTTP server hands it to the pipeline; its body has not been read yet. */
export interface IncomingRequest {
  method: string;
  pathname: string;
  rawQuery: string;
  header(name: string): string | undefined;
  authorizations: string[];
  address: string;
  requestId: string;
  /** Aborted when the client disconnects before it has the response, or when the server stops waiting for it. */
  readonly disconnected: AbortSignal;
  readBody(limitBytes: number): Promise<Uint8Array>;
  streamBody(limitBytes: number): AsyncIterable<Buffer>;
}

/** Bytes that are produced only as fast as the client reads them. */
export type ByteStream = AsyncIterable<Uint8Array>;

export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  /** Each becomes a Set-Cookie header of its own. */
  cookies?: readonly string[];
  body: string | ByteStream;
}

/** A response whose whole body is in memory. */
export type TextResponse = OutgoingResponse & { body: string };
