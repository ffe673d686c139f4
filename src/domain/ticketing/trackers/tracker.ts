import type { TicketText } from './ticket-text.ts';

/** A ticket at its tracker. Where the tracker has such an id, `externalId` stays when the ticket is moved. */
export interface TrackerTicket {
  externalId: string;
  slug: string;
  url: string;
}

export interface RemoteTicket extends TrackerTicket {
  state: 'open' | 'closed';
}

export interface TicketDraft {
  /** A UUID that is part of the ticket, so that it can be found again. */
  intent: string;
  title: string;
  text: TicketText;
  /** The values of mapped fields, by the tracker's name of the field. */
  fields: Readonly<Record<string, string>>;
  trackerProject: string;
}

/** A field of the tracker: how its value is written, and whether a ticket needs it. */
export interface TrackerField {
  id: string;
  name: string;
  kind: TrackerFieldKind;
  isRequired: boolean;
  /** The allowed values; undefined for free text. */
  options?: readonly string[];
}
export type TrackerFieldKind = 'text' | 'number' | 'name' | 'option' | 'names' | 'options' | 'texts' | 'unsupported';

export interface TrackerCheck {
  /** The id of the account that the token belongs to. */
  account: string;
  fields: readonly TrackerField[];
}

/**
 * A client of a tracker. Every method throws a TrackerFailure. What a method does not know is undefined or false: a
 * ticket that does not exist, or a state that the workflow does not offer.
 */
export interface Tracker {
  /** How long a new ticket may be missing from look-ups, and how often to look before a ticket counts as not opened. */
  readonly settleMs: number;
  readonly lookups: number;
  /** Checks the token and the project, and reads the fields of new tickets. */
  check(): Promise<TrackerCheck>;
  create(draft: TicketDraft): Promise<TrackerTicket>;
  /** The ticket that was opened with this intent. */
  find(intent: string, trackerProject: string): Promise<TrackerTicket | undefined>;
  /** The name by which `fetch` finds the ticket of a web address; undefined if it is not of this tracker. */
  locate(url: URL): string | undefined;
  fetch(name: string): Promise<RemoteTicket | undefined>;
  close(externalId: string): Promise<boolean>;
  reopen(externalId: string): Promise<boolean>;
  comment(externalId: string, text: TicketText): Promise<void>;
}
