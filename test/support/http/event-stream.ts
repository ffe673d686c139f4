import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { waitUntil } from '../wait.ts';
import type { World } from '../world/world.ts';

export interface ReceivedEvent {
  id: string;
  event: string;
  data: { id: string; type: string; at: string; deploymentId: string; data: Record<string, unknown> };
}

/** One event stream, read through its own socket. */
export class EventStream {
  readonly message: IncomingMessage;
  text = '';
  isEnded = false;

  constructor(message: IncomingMessage) {
    this.message = message;
    message.setEncoding('utf8');
    message.on('data', (chunk: string) => {
      this.text += chunk;
    });
    message.once('close', () => {
      this.isEnded = true;
    });
    message.on('error', () => undefined);
  }

  static open(
    { baseUrl }: Pick<World, 'baseUrl'>,
    { deployment, token, query = '', headers = {} }: EventStreamOptions,
  ): Promise<EventStream> {
    const options = { headers: { authorization: `Bearer ${token}`, ...headers }, agent: false as const };
    return new Promise((resolve, reject) => {
      get(`${baseUrl}/api/events/v1/deployments/${deployment}${query}`, options, (message) =>
        resolve(new EventStream(message)),
      ).once('error', reject);
    });
  }

  get events(): ReceivedEvent[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .map((frame) => new Map(frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line])))
      .filter((fields) => fields.has('data'))
      .map((fields) => {
        const textOf = (name: string) => (fields.get(name) ?? '').slice(name.length + 2);
        return { id: textOf('id'), event: textOf('event'), data: JSON.parse(textOf('data')) as ReceivedEvent['data'] };
      });
  }

  /** Waits for an event of this type and returns it. */
  async hear(type: string, isIt: (heard: ReceivedEvent) => boolean = () => true): Promise<ReceivedEvent> {
    const found = () => this.events.find((heard) => heard.event === type && isIt(heard));
    await waitUntil(() => found() !== undefined || this.isEnded);
    return found() ?? assert.fail(`no ${type} came: ${this.text}`);
  }

  async ended(): Promise<void> {
    await waitUntil(() => this.isEnded);
  }

  close(): void {
    this.message.destroy();
  }
}

export interface EventStreamOptions {
  deployment: string;
  token: string;
  query?: string;
  headers?: Record<string, string>;
}
