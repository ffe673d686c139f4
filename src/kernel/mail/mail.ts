import { createTransport } from 'nodemailer';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
}

export interface MailSettings {
  /** The operator's mail server; an empty text switches mail off. */
  url: Secret;
  from: string;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Sends letters through the operator's mail server: the one place that knows how. */
export class Mail {
  readonly isOn: boolean;
  readonly #from: string;
  readonly #url: Secret;

  constructor({ url, from }: MailSettings) {
    this.isOn = reveal(url) !== '';
    this.#url = url;
    this.#from = from;
  }

  async send({ to, subject, text }: MailMessage): Promise<void> {
    if (!this.isOn) throw new Error('Mail is switched off: no mail server is set.');
    const url = reveal(this.#url);
    const transport = createTransport({
      url,
      requireTLS: needsEncryption(new URL(url)),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      // An address in an object is taken as it is: no text in it can name a second one.
      await transport.sendMail({ from: this.#from, to: { name: '', address: to }, subject, text });
    } finally {
      transport.close();
    }
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A password never crosses a network in the clear. */
function needsEncryption({ protocol, hostname, username }: URL): boolean {
  return protocol === 'smtp:' && username !== '' && !LOOPBACK.test(hostname);
}
