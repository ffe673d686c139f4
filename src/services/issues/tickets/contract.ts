import { z } from 'zod';
import { INVALID_QUERY, TOO_MANY_FINDINGS } from '#domain/findings/shape.ts';
import {
  AutomationSwitches,
  FieldMapping,
  NO_TICKETING,
  TICKET_UNKNOWN,
  TICKET_URL_REFUSED,
  TicketingInstance,
  TRACKER_UNAVAILABLE,
} from '#domain/ticketing/ticketing-shape.ts';
import { TRACKER_KINDS } from '#domain/ticketing/trackers/tracker-shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id, name, oneOf } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';
import { IssueFilter, issueQueryFields } from '../list/filter-shape.ts';

export const MAX_TICKETING_INSTANCES = 20;
export const MAX_TICKETED_FINDINGS = 3000;

export const TICKETING_QUOTA = fault(
  'TICKETING_QUOTA',
  409,
  'A deployment can have at most {most} trackers.',
  'Delete trackers first.',
);
export const TRACKER_URL_REFUSED = fault(
  'TRACKER_URL_REFUSED',
  400,
  'This server does not call {url}.',
  'Use https on port 443 or 8443; the operator can allow other targets.',
);
export const TRACKER_TOKEN_REQUIRED = fault(
  'TRACKER_TOKEN_REQUIRED',
  400,
  'Changing the tracker, its address or its account requires the token.',
  'Send `token` too: a stored token is used only for the address and the account for which it was stored.',
);
export const TRACKER_REFUSED = fault(
  'TRACKER_REFUSED',
  400,
  'The tracker does not accept these settings: {reason}',
  'Check the address, the token and what its account may do, the project and the type of tickets.',
);

const base = '/api/notifications/deployments/{deploymentId}/ticketing/v2';
const path = { deploymentId: deployment() };
const instancePath = { ...path, ticketingInstanceId: asNumber(id('TicketingInstance')) };
const facts = { maturity: 'experimental' } as const;
const findingIds = () =>
  z
    .array(asNumber(id('Finding')))
    .min(1)
    .max(MAX_TICKETED_FINDINGS);

const Token = z
  .string()
  .max(4096)
  .regex(/^[!-~]+$/, { error: 'expected printable characters without spaces' });

export const getTicketingInstances = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'List connected trackers',
  description:
    'Tokens are never shown. `isAuthRevoked` tells that the tracker does not accept the token any more: tickets wait ' +
    'until it gets a new one. `subtaskIssueTypeId` is always empty, because grouped tickets list their findings.',
  allow: 'automation:read',
  path,
  reply: { instances: z.array(TicketingInstance) },
});

const settings = {
  name: name(),
  instanceType: oneOf(TRACKER_KINDS),
  siteUrl: webUrl(),
  account: z.string().max(255).optional(),
  projectId: z.string().min(1).max(255),
  issueTypeId: z
    .string()
    .max(64)
    .regex(/^[\w-]*$/)
    .optional(),
  fields: FieldMapping.optional(),
  automationStates: AutomationSwitches.optional(),
  fixedTransitionId: z.string().max(64).regex(/^\w*$/).optional(),
};
const saving = {
  ...facts,
  credential: 'user',
  allow: 'credential:manage',
  isExtension: true,
  transaction: 'manual',
  limitPolicy: 'check',
} as const;
const settingsText =
  '`siteUrl` is what the browser shows: `https://acme.atlassian.net`, `https://github.com`, ' +
  '`https://linear.app/acme`. `projectId` is the id or key of a Jira project, `owner/repository` at GitHub, ' +
  '`group/project` at GitLab, the UUID of a team at Linear. Jira needs `issueTypeId`, and Jira Cloud the e-mail ' +
  'address of the token in `account`. The token, the project and the required fields are checked at the tracker ' +
  'before anything is stored.';

export const createTicketingInstance = operation({
  ...saving,
  route: `POST ${base}`,
  summary: 'Connect a tracker',
  description: `${settingsText} The answer comes after 1, 3 or 10 seconds.`,
  path,
  body: { ...settings, token: Token },
  reply: { instance: TicketingInstance },
  faults: [TICKETING_QUOTA, TRACKER_URL_REFUSED, TRACKER_REFUSED, VALIDATION_FAILED],
});

export const updateTicketingInstance = operation({
  ...saving,
  route: `PUT ${base}/{ticketingInstanceId}`,
  summary: 'Change a connected tracker',
  description:
    `${settingsText} Without \`token\` the stored one is kept, which requires the same tracker, address and account. ` +
    'Tickets that wait are opened afterwards. The answer comes after 1, 3 or 10 seconds.',
  path: instancePath,
  body: { ...settings, token: Token.optional() },
  reply: { instance: TicketingInstance },
  faults: [TRACKER_URL_REFUSED, TRACKER_REFUSED, TRACKER_TOKEN_REQUIRED, VALIDATION_FAILED],
});

export const deleteTicketingInstance = operation({
  ...facts,
  credential: 'user',
  route: `DELETE ${base}/{ticketingInstanceId}`,
  summary: 'Disconnect a tracker',
  description:
    'Removes the token and our records of its tickets; the tickets themselves stay. Automations that open tickets ' +
    'there are paused, and named in the reply.',
  allow: 'credential:manage',
  isExtension: true,
  path: instancePath,
  reply: { pausedAutomations: z.array(z.object({ id: id('Automation'), name: z.string() })) },
});

export const createExternalTickets = operation({
  ...facts,
  route: `POST ${base}/{ticketingInstanceId}/create_tickets`,
  summary: 'Open tickets for findings',
  description:
    'Findings are selected by `issueIds` or by filters. Grouped, findings of one rule in one project share a ticket, ' +
    'at most 75. A finding has at most one ticket: those that have one are `skipped`, and fixed or removed ones ' +
    'fail. Tickets are opened for 10 seconds; the rest is `skipped` with the reason `queued` and opened afterwards.',
  allow: 'issue:triage',
  isStrict: true,
  transaction: 'manual',
  path: instancePath,
  body: {
    groupIssues: z.boolean().default(true),
    projectId: z.string().max(255).optional(),
    issueIds: z
      .array(asNumber(id('Finding')))
      .max(MAX_TICKETED_FINDINGS)
      .optional(),
    issueType: issueQueryFields.issueType,
    issueFilters: IssueFilter.optional(),
    issueTypes: issueQueryFields.issueTypes,
  },
  reply: {
    succeeded: z.array(
      z.object({
        issueIds: z.array(plain.id('Finding')),
        ticketId: plain.id('ExternalTicket'),
        ticketUrl: z.string(),
        externalSlug: z.string(),
      }),
    ),
    failed: z.array(z.object({ issueIds: z.array(plain.id('Finding')), error: z.string() })),
    skipped: z.array(z.object({ issueIds: z.array(plain.id('Finding')), reason: z.string() })),
  },
  faults: [INVALID_QUERY, TOO_MANY_FINDINGS, VALIDATION_FAILED],
});

export const linkTicket = operation({
  ...facts,
  route: `POST ${base}/{ticketingInstanceId}/tickets/link`,
  isStrict: true,
  summary: 'Link findings with a ticket',
  description:
    'The ticket exists at the tracker and is checked there. A finding that has another ticket leaves it: ' +
    '`replacedIssueIds`.',
  allow: 'issue:triage',
  transaction: 'manual',
  path: instancePath,
  body: { ticketUrl: webUrl(), issueIds: findingIds() },
  reply: {
    ticketId: plain.id('ExternalTicket'),
    ticketUrl: z.string(),
    externalSlug: z.string(),
    linkedIssueIds: z.array(plain.id('Finding')),
    replacedIssueIds: z.array(plain.id('Finding')),
  },
  faults: [NO_TICKETING, TICKET_UNKNOWN, TICKET_URL_REFUSED, TRACKER_UNAVAILABLE, VALIDATION_FAILED],
});

export const unlinkTicket = operation({
  ...facts,
  route: `POST ${base}/{ticketingInstanceId}/tickets/unlink`,
  isStrict: true,
  summary: 'Unlink findings from their tickets',
  description: 'The tickets themselves stay as they are. Findings without a ticket of this tracker are left out.',
  allow: 'issue:triage',
  path: instancePath,
  body: { issueIds: findingIds() },
  reply: { unlinkedIssueIds: z.array(plain.id('Finding')) },
  faults: [VALIDATION_FAILED],
});

export const deleteExternalTicket = operation({
  ...facts,
  route: `DELETE ${base}/{ticketingInstanceId}/tickets/{externalTicketId}`,
  summary: 'Delete the record of a ticket',
  description: 'Unlinks all findings of the ticket. The ticket itself is never deleted.',
  allow: 'issue:triage',
  path: { ...instancePath, externalTicketId: asNumber(id('ExternalTicket')) },
  reply: { issueIds: z.array(id('Finding')) },
});
