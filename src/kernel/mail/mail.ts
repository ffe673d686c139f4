import { createTransport } from 'nodemailer';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Readonly<Record<string, string>>;
  /** The same in every attempt, so that mailboxes recognize a repetition. */
  messageId?: string;
}

/** Thrown when the mail server did not accept a message. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /**
   * `address`: it refuses the recipient for good. `message`: it refuses this message. `unclear`: the message may have
   * been sent. `unsent`: nothing was sent, and another attempt may succeed.
   */
  readonly kind: 'address' | 'message' | 'unclear' | 'unsent';
  readonly status: number | undefined;

  constructor(kind: MailFailure['kind'], message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

const MAX_ANSWER_LENGTH = 300;

/** What the error of the transport means. Only an answer to the recipient says something about the address. */
function failureOf(error: unknown): MailFailure {
  const { responseCode, response, command, code } = error as Record<string, unknown>;
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const answer = typeof response === 'string' ? response.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_ANSWER_LENGTH) : '';
  const detail = answer === '' ? 'The mail server could not be used.' : `The mail server answered: ${answer}`;
  const isFinal = status !== undefined && status >= 500;
  if (isFinal && code === 'EENVELOPE') return new MailFailure('address', detail, status);
  if (isFinal && code === 'EMESSAGE') return new MailFailure('message', detail, status);
  const isUnclear = status === undefined && command === 'DATA';
  return new MailFailure(isUnclear ? 'unclear' : 'unsent', detail, status);
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

  async send({ to, ...message }: MailMessage): Promise<void> {
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
      await transport.sendMail({ ...message, from: this.#from, to: { name: '', address: to } });
    } catch (error) {
      throw failureOf(error);
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
