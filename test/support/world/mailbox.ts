import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The raw message. */
  text: string;
}

/** A real mail server on loopback that stores what it receives. */
export class Mailbox {
  /** If set, all recipients are rejected with this reason. */
  refusal = '';
  readonly #received: ReceivedMail[] = [];
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: (_, __, done) => done(this.refusal === '' ? undefined : new Error(this.refusal)),
      onData: (stream, { envelope }, done) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        void text(stream).then((message) => {
          this.#received.push({ from, to, text: message });
          done();
        });
      },
    });
  }

  static async open(port = 0): Promise<Mailbox> {
    const mailbox = new Mailbox();
    await new Promise<void>((resolve) => mailbox.#server.listen(port, '127.0.0.1', resolve));
    return mailbox;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** The messages since the last call, in the order of arrival. */
  take(): ReceivedMail[] {
    return this.#received.splice(0);
  }

  /** Waits until this many messages have arrived, then takes them. */
  async expect(count: number): Promise<ReceivedMail[]> {
    for (let turn = 0; turn < 200 && this.#received.length < count; turn++)
      await new Promise((resolve) => setTimeout(resolve, 25));
    return this.take();
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
