import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const settings = {
  name: 'Jira of the security team',
  instanceType: 'jira',
  siteUrl: 'https://acme.atlassian.net',
  account: 'parapet@acme.example',
  projectId: 'SHOP',
  issueTypeId: '10001',
  fields: { all: { labels: { value: 'security' } }, sca: { priority: { value: 'High' } } },
  token: 'the-token-that-Atlassian-shows-once',
} as const;

export const ticketExamples: Examples<typeof contract> = {
  getTicketingInstances: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createTicketingInstance: (of) => ({ path: { deploymentId: of('Deployment') }, body: settings }),
  updateTicketingInstance: (of) => ({
    path: { deploymentId: of('Deployment'), ticketingInstanceId: of('TicketingInstance') },
    body: settings,
  }),
  deleteTicketingInstance: (of) => ({
    path: { deploymentId: of('Deployment'), ticketingInstanceId: of('UnusedTicketingInstance') },
  }),
  createExternalTickets: (of) => ({
    path: { deploymentId: of('Deployment'), ticketingInstanceId: of('TicketingInstance') },
    body: { issueIds: [of('Finding')] },
  }),
  linkTicket: (of) => ({
    path: { deploymentId: of('Deployment'), ticketingInstanceId: of('TicketingInstance') },
    body: { ticketUrl: of('TicketUrl'), issueIds: [of('Finding')] },
  }),
  unlinkTicket: (of) => ({
    path: { deploymentId: of('Deployment'), ticketingInstanceId: of('TicketingInstance') },
    body: { issueIds: [of('Finding')] },
  }),
  deleteExternalTicket: (of) => ({
    path: {
      deploymentId: of('Deployment'),
      ticketingInstanceId: of('TicketingInstance'),
      externalTicketId: of('ExternalTicket'),
    },
  }),
};
