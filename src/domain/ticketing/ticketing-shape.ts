import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id } from '#kernel/contract/plain-fields.ts';
import { oneOf } from '#kernel/contract/proto-fields.ts';
import { FieldMapping } from './ticket-fields.ts';
import { TRACKER_KINDS } from './trackers/tracker.ts';

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
  TrackerProject: 'APP',
  TicketUrl: 'https://acme.atlassian.net/browse/APP-12',
};
