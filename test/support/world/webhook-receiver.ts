import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** One request that a receiver got. */
export interface ReceivedEvent {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the receiver does with its next requests. */
export type ReceiverFault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Never answers. */
  | 'hang'
  /** Closes the connection after it has the event. */
  | 'drop'
  /** Answers with something that is not HTTP. */
  | 'garbage';

/** A receiver of webhooks on loopback, with faults. */
export class WebhookReceiver {
  readonly received: ReceivedEvent[] = [];
  readonly #server: Server;
  readonly #faults: ReceiverFault[] = [];
  /** Applies to every request without a fault of its own. */
  always: ReceiverFault | undefined;

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        this.received.push({ path: request.url ?? '', headers: request.headers, body });
        this.#answer(response, this.#faults.shift() ?? this.always ?? { status: 200 });
      });
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The next requests get these faults, one each. */
  fail(...faults: ReceiverFault[]): void {
    this.#faults.push(...faults);
  }

  get bodies(): unknown[] {
    return this.received.map(({ body }) => JSON.parse(body) as unknown);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(response: ServerResponse, fault: ReceiverFault): void {
    if (fault === 'hang') return;
    if (fault === 'drop') response.socket?.destroy();
    else if (fault === 'garbage') response.socket?.end('this is not HTTP\r\n\r\n');
    else response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
  }
}

/** Whether the published library of Standard Webhooks accepts an event as signed with a secret, now. */
export function isSignedWith(secret: string, { headers, body }: ReceivedEvent): boolean {
  const isEncoded = secret.startsWith('whsec_');
  const verifier = isEncoded ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  try {
    verifier.verify(body, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
