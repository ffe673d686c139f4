import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';
import type * as secretsContract from './secrets-contract.ts';
import type * as ticketContract from './ticket-contract.ts';
import type * as triageContract from './triage-contract.ts';

export const examples: Examples<typeof contract> = {
  listFindings: (of) => ({
    path: { deploymentSlug: of('Deployment') },
    query: { issue_type: ['sast'], status: 'open', severities: ['high', 'critical'], page: 0, page_size: 100 },
  }),
};

export const triageExamples: Examples<typeof triageContract> = {
  bulkTriage: (of) => ({
    path: { deploymentSlug: of('Deployment') },
    body: {
      issue_type: 'sast',
      rules: ['javascript.lang.security.detect-eval'],
      status: 'open',
      new_triage_state: 'ignored',
      new_triage_reason: 'false_positive',
      new_note: 'The input never leaves the test.',
    },
  }),
};

export const ticketExamples: Examples<typeof ticketContract> = {
  createTicket: (of) => ({
    path: { deploymentSlug: of('Deployment') },
    body: { issue_type: 'sast', jira_project_id: of('TrackerProject'), severities: ['critical'], status: 'open' },
  }),
  linkTicket: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { ticket_url: of('TicketUrl'), issue_ids: [of('Finding')] },
  }),
  unlinkTicket: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { issue_ids: [of('Finding')] },
  }),
  deleteTicket: (of) => ({
    path: { deploymentId: of('Deployment'), externalTicketId: of('ExternalTicket') },
  }),
};

export const secretsExamples: Examples<typeof secretsContract> = {
  listSecretsPath: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { limit: '100', cursor: '', validationState: ['VALIDATION_STATE_NO_VALIDATOR'] },
  }),
};
