import type { Tx } from '#kernel/db/tx.ts';
import type { AutomationAction, AutomationActionType } from '../shape.ts';

/**
 * Who gets what a destination receives, which decides how floods are limited: machines get every finding, people one
 * summary, and trackers one ticket per rule and project.
 */
export type Audience = 'machines' | 'people' | 'trackers';

/** What a delivery is about. */
export interface DeliverySubject {
  batch?: string | undefined;
  scan?: string | undefined;
  /** The automations that send it: several that fire for one batch share a message to people. */
  automations?: readonly { id: string; name: string; slug: string }[] | undefined;
  /** Of a ticket. */
  project?: string | undefined;
  rule?: string | undefined;
  /** The intent to open a ticket, once it is written. */
  ticket?: string | undefined;
  /** The delivery whose message is updated. */
  message?: string | undefined;
  /** Of a digest: from which moment on each of its parts tells what is new. */
  since?: Readonly<Record<string, string>> | undefined;
}

export interface DeliveryToCompose {
  deployment: string;
  id: string;
  kind: string;
  subject: DeliverySubject;
  config: Readonly<Record<string, string>>;
  /** All findings; an adapter for people shows the number and the worst ones. */
  findings: readonly string[];
}

/** One call of a destination. Every attempt of one part has the same id and the same body. */
export interface DeliveryMessage {
  id: string;
  body: string;
  part: number;
  /** Counts from 1. */
  attempt: number;
  at: Date;
}

export type DeliveryOutcome =
  /** The destination has it. `reference` is its name there, such as the key of a ticket. */
  | { kind: 'sent'; status?: number; answer?: string; reference?: string }
  /** It is tried again. A destination that asks for a pause gets it. */
  | { kind: 'failed'; status?: number; answer?: string; detail: string; retryAfterMs?: number }
  /** It may have arrived, and a repetition would be noticed: it is tried once more. */
  | { kind: 'unclear'; status?: number; answer?: string; detail: string }
  /** It refuses this message and would refuse it again; others are not affected. */
  | { kind: 'refused'; status?: number; answer?: string; detail: string }
  /** The destination does not exist any more, or refuses the credential: it is disabled until somebody changes it. */
  | { kind: 'disabled'; status?: number; answer?: string; detail: string };

/** Runs work in a transaction of the deployment: for adapters that record what their calls do. */
export type WriteDuringSend = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

export type SendMessage = (message: DeliveryMessage) => Promise<DeliveryOutcome>;

/** The destination of an action, or why there is none. An action to several people has one for each of them. */
export type ResolvedDestination =
  | { destination: string }
  | { skip: string }
  | { destinations: readonly string[]; skip?: string | undefined };

/**
 * A kind of destination. A new one is an adapter, and a line in the list of adapters that the server assembles.
 * Transactions, retries, order, pauses, the log and replays are the same for all kinds.
 */
export interface DestinationAdapter {
  readonly kind: string;
  readonly audience: Audience;
  /** The actions that it carries out. */
  readonly actions: readonly AutomationActionType[];
  /** The least time between two messages to one destination. */
  readonly minIntervalMs?: number;
  /** Finds the destination that an action names, or creates it. */
  resolve(tx: Tx, deployment: string, action: AutomationAction): Promise<ResolvedDestination>;
  /**
   * The bodies of a delivery, one for each call; written once, before the first attempt. None cancels the delivery,
   * and a reason skips it.
   */
  compose(tx: Tx, delivery: DeliveryToCompose): Promise<string[] | { skip: string }>;
  /** The body of the test button. */
  testBody?(tx: Tx, destination: { deployment: string; id: string }): Promise<string>;
  /** Reads what calls need, such as an address and a secret; the calls are made outside of the transaction. */
  connect(tx: Tx, destination: { deployment: string; id: string }, write: WriteDuringSend): Promise<SendMessage>;
}

/** The adapters by kind and by action. */
export class DestinationAdapters {
  readonly #byKind: ReadonlyMap<string, DestinationAdapter>;
  readonly #byAction: ReadonlyMap<string, DestinationAdapter>;

  constructor(adapters: readonly DestinationAdapter[]) {
    this.#byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]));
    this.#byAction = new Map(adapters.flatMap((adapter) => adapter.actions.map((action) => [action, adapter])));
  }

  ofKind(kind: string): DestinationAdapter | undefined {
    return this.#byKind.get(kind);
  }

  ofAction(action: AutomationActionType): DestinationAdapter | undefined {
    return this.#byAction.get(action);
  }
}
