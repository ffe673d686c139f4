import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SlackRequest {
  method: string;
  authorization: string;
  /** The members of a JSON body or of a form. */
  body: Record<string, unknown>;
}

/** What goes wrong with a request. `isAfter` means after Slack did what was asked. */
export type SlackFault =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; isAfter?: boolean }
  | { kind: 'error'; code: string }
  | { kind: 'drop'; isAfter?: boolean }
  | { kind: 'hang' }
  | { kind: 'garbage'; isAfter?: boolean };

export interface FakeSlackMessage {
  channel: string;
  ts: string;
  text: string;
  blocks: unknown[];
  updates: number;
}

const CHANNELS = [
  { id: 'C024BE91L', name: 'security', is_private: false, is_member: false },
  { id: 'C0PAYMENTS', name: 'payments', is_private: false, is_member: false },
  { id: 'G0SECRET', name: 'war-room', is_private: true, is_member: true },
];

/** The eight methods of Slack that are used, on loopback, with state and faults. */
export class FakeSlack {
  readonly requests: SlackRequest[] = [];
  readonly messages: FakeSlackMessage[] = [];
  readonly channels = CHANNELS.map((channel) => ({ ...channel, is_archived: false }));
  token = 'xoxb-a-token-of-the-test';
  teamId = 'T0ACME';
  scopes = 'channels:read,chat:write,chat:write.public,groups:read,team:read';
  isRevoked = false;
  readonly #server: Server;
  readonly #faults: { method: string; fault: SlackFault }[] = [];
  #serial = 0;

  private constructor() {
    this.#server = createServer((incoming, response) => {
      void text(incoming).then((raw) => {
        const isJson = incoming.headers['content-type']?.startsWith('application/json') ?? false;
        const body = isJson
          ? (JSON.parse(raw) as Record<string, unknown>)
          : Object.fromEntries(new URLSearchParams(raw));
        const method = (incoming.url ?? '').replace('/api/', '');
        const request = { method, authorization: incoming.headers.authorization ?? '', body };
        this.requests.push(request);
        this.#answer(request, response);
      });
    });
  }

  static async start(): Promise<FakeSlack> {
    const slack = new FakeSlack();
    await new Promise<void>((resolve) => slack.#server.listen(0, '127.0.0.1', resolve));
    return slack;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The settings of a server that uses this instead of Slack. */
  get settings(): Record<string, string> {
    return {
      PARAPET_SLACK_URL: `http://127.0.0.1:${this.port}`,
      PARAPET_EGRESS_ALLOW: `127.0.0.1:${this.port}`,
    };
  }

  /** The next calls of a method get these faults, one each. */
  fail(method: string, ...faults: SlackFault[]): void {
    for (const fault of faults) this.#faults.push({ method, fault });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: SlackRequest, response: ServerResponse): void {
    const index = this.#faults.findIndex(({ method }) => method === request.method);
    const [taken] = index === -1 ? [] : this.#faults.splice(index, 1);
    const fault = taken?.fault;
    const isDone = !fault || ('isAfter' in fault && fault.isAfter === true);
    const answer = isDone ? this.#respond(request) : { ok: true };
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'drop') response.socket?.destroy();
    else if (fault?.kind === 'garbage') response.writeHead(200).end('<html>Slack is down</html>');
    else if (fault?.kind === 'answer') response.writeHead(fault.status, fault.headers).end('');
    else {
      const body = fault?.kind === 'error' ? { ok: false, error: fault.code } : answer;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  }

  #respond({ method, authorization, body }: SlackRequest): Record<string, unknown> {
    const refuse = (error: string) => ({ ok: false, error });
    if (method === 'oauth.v2.access') return this.#grant(authorization, String(body['code']));
    if (this.isRevoked) return refuse('token_revoked');
    if (authorization !== `Bearer ${this.token}`) return refuse('invalid_auth');
    switch (method) {
      case 'auth.test':
        return { ok: true, url: 'https://acme.slack.com/', team: 'Acme', team_id: this.teamId };
      case 'auth.revoke':
        this.isRevoked = true;
        return { ok: true, revoked: true };
      case 'conversations.list':
        return this.#page(String(body['cursor'] ?? ''), Number(body['limit']));
      case 'conversations.info': {
        const channel = this.channels.find(({ id }) => id === body['channel']);
        return channel ? { ok: true, channel } : refuse('channel_not_found');
      }
      case 'chat.postMessage':
      case 'chat.update':
        return this.#write(method, body);
      default:
        return refuse('unknown_method');
    }
  }

  #grant(authorization: string, code: string): Record<string, unknown> {
    const [client = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
    if (client === '' || code !== 'a-good-code') return { ok: false, error: 'invalid_code' };
    this.isRevoked = false;
    return {
      ...{ ok: true, app_id: 'A0PARAPET', access_token: this.token, token_type: 'bot', scope: this.scopes },
      ...{ bot_user_id: 'U0BOT', team: { id: this.teamId, name: 'Acme' }, enterprise: null },
    };
  }

  #page(cursor: string, limit: number): Record<string, unknown> {
    const open = this.channels.filter(({ is_archived: isArchived }) => !isArchived);
    const from = Number(cursor || 0);
    const next = from + limit < open.length ? String(from + limit) : '';
    return { ok: true, channels: open.slice(from, from + limit), response_metadata: { next_cursor: next } };
  }

  #write(method: string, body: Record<string, unknown>): Record<string, unknown> {
    const channel = this.channels.find(({ id }) => id === body['channel']);
    if (!channel) return { ok: false, error: 'channel_not_found' };
    if (channel.is_archived) return { ok: false, error: 'is_archived' };
    const content = { text: String(body['text']), blocks: body['blocks'] as unknown[] };
    if (method === 'chat.update') {
      const found = this.messages.find(({ ts }) => ts === body['ts']);
      if (!found) return { ok: false, error: 'message_not_found' };
      Object.assign(found, content, { updates: found.updates + 1 });
      return { ok: true, ts: found.ts };
    }
    this.#serial += 1;
    const ts = `1700000000.${String(this.#serial).padStart(6, '0')}`;
    this.messages.push({ channel: channel.name, ts, ...content, updates: 0 });
    return { ok: true, ts, channel: channel.id };
  }
}
