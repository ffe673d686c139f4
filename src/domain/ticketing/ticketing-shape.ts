import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id } from '#kernel/contract/plain-fields.ts';
import { oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { TRACKER_KINDS } from './trackers/tracker-shape.ts';

/** What a mapped field can show of the findings of a ticket. */
export const FIELD_SOURCES = [
  'severity',
  'rule',
  'title',
  'product',
  'project',
  'path',
  'advisory',
  'package',
] as const;

const MAX_MAPPED_FIELDS = 50;

/** A field gets either a fixed text or something of the findings. Lists are separated by commas. */
export const MappedField = z.object({
  value: z.string().max(1000).optional(),
  from: oneOf(FIELD_SOURCES).optional(),
});
const MappedFields = z
  .record(z.string().min(1).max(100), MappedField)
  .refine((fields) => Object.keys(fields).length <= MAX_MAPPED_FIELDS, {
    error: `must have at most ${MAX_MAPPED_FIELDS} fields`,
  });

/** The fields of new tickets, by product; `all` applies to every product. */
export const FieldMapping = z.object({
  all: MappedFields.optional(),
  sast: MappedFields.optional(),
  sca: MappedFields.optional(),
  secrets: MappedFields.optional(),
  ai_sast: MappedFields.optional(),
});
export type FieldMapping = z.output<typeof FieldMapping>;

/** Which findings get tickets without an automation of somebody. */
export const AutomationStates = z.object({
  sast: z.boolean(),
  sca: z.boolean(),
  secrets: z.boolean(),
  scaMaliciousDeps: z.boolean(),
  aiSast: z.boolean(),
});
export type AutomationStates = z.output<typeof AutomationStates>;

const off = () => z.boolean().default(false);
/** The same in a request: what is not named is off. */
export const AutomationSwitches = z.object({
  ...{ sast: off(), sca: off(), secrets: off(), scaMaliciousDeps: off(), aiSast: off() },
});

export const NO_AUTOMATION: AutomationStates = {
  ...{ sast: false, sca: false, secrets: false },
  ...{ scaMaliciousDeps: false, aiSast: false },
};

/** A connected tracker without its token, which is never shown. */
export const TicketingInstance = z.object({
  id: id('TicketingInstance'),
  isConfigured: z.boolean(),
  isAuthRevoked: z.boolean(),
  instanceType: oneOf(TRACKER_KINDS),
  /** The first part of the host name at Jira Cloud, else the whole of it. */
  subdomain: z.string(),
  projectId: z.string(),
  issueTypeId: z.string(),
  fields: FieldMapping,
  automationStates: AutomationStates,
  subtaskIssueTypeId: z.string(),
  fixedTransitionState: z.object({ jiraTransitionId: z.string(), aggregateState: z.string() }),
  name: z.string(),
  /** Names the instance in the `credential_slug` of an action. */
  slug: z.string(),
  siteUrl: z.string(),
  account: z.string(),
});
export type TicketingInstance = z.output<typeof TicketingInstance>;

/** The ticket of a finding. */
export const FindingTicket = z.object({
  /** `planned` until the tracker has it. */
  state: oneOf(['planned', 'open', 'closed']),
  slug: z.string(),
  url: z.string(),
  trackerName: z.string(),
  createdAt: timestamp(),
  /** When the tracker was last asked for its state. */
  syncedAt: timestamp().optional(),
});
export type FindingTicket = z.output<typeof FindingTicket>;

export const TICKET_URL_REFUSED = fault(
  'TICKET_URL_REFUSED',
  400,
  'The URL is not that of a ticket of {tracker}.',
  'Copy the address of the ticket from the browser, and use the tracker that it belongs to.',
);
export const TICKET_UNKNOWN = fault(
  'TICKET_UNKNOWN',
  400,
  'The tracker has no ticket {ticket} that its account can see.',
  'Check the address, and let the account of the integration see the project.',
);
export const TRACKER_UNAVAILABLE = fault(
  'TRACKER_UNAVAILABLE',
  502,
  'The tracker could not be asked. {detail}',
  'Repeat the request later. If it persists, check the token and the address of the integration.',
);
export const NO_TICKETING = fault(
  'NO_TICKETING',
  409,
  'No tracker is connected.',
  'Connect one with CreateTicketingInstance first.',
);

/** What the examples of the API description show. */
export const exampleIds = {
  TicketingInstance: '3',
  UnusedTicketingInstance: '3',
  ExternalTicket: '12',
  TrackerProject: 'SHOP',
  TicketUrl: 'https://acme.atlassian.net/browse/SHOP-12',
};
