import { createTransport } from 'nodemailer';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
}

export interface MailSettings {
  /** The operator's mail server; empty switches mail off. */
  url: Secret;
  from: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;

/** Sends mail through the operator's mail server. */
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
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      // An address in an object is used literally, so it cannot contain a second recipient.
      await transport.sendMail({ from: this.#from, to: { name: '', address: to }, subject, text });
    } finally {
      transport.close();
    }
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A password must never be sent over a network in clear text. */
function needsEncryption({ protocol, hostname, username }: URL): boolean {
  return protocol === 'smtp:' && username !== '' && !LOOPBACK.test(hostname);
}
