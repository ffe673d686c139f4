import { z } from 'zod';
import { INVALID_QUERY, TOO_MANY_FINDINGS } from '#domain/findings/shape.ts';
import { ScannerProduct } from '#domain/scans/shape.ts';
import {
  NO_TICKETING,
  TICKET_UNKNOWN,
  TICKET_URL_REFUSED,
  TRACKER_UNAVAILABLE,
} from '#domain/ticketing/ticketing-shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';
import { bulkTriage } from './triage-contract.ts';

export const MAX_V1_TICKETED_FINDINGS = 3000;
const MAX_TICKETS = 20;

const {
  new_triage_state: _state,
  new_triage_reason: _reason,
  new_note: _note,
  limit: _limit,
  issue_type: _type,
  issue_ids: _ids,
  q: _q,
  ...filters
} = bulkTriage.body.shape;

const facts = { maturity: 'experimental', allow: 'issue:triage' } as const;
const path = { deploymentId: deployment() };
const findingIds = () => z.array(id('Finding')).min(1).max(MAX_V1_TICKETED_FINDINGS);
/** The deployment is in the path; clients repeat it. */
const repeated = z.string().max(64).optional();

export const createTicket = operation({
  ...facts,
  route: 'POST /api/v1/deployments/{deploymentSlug}/tickets',
  summary: 'Open tickets for findings',
  description:
    'Selects findings by ids, filters or both, and opens tickets in the tracker that was connected first, or in the ' +
    'one whose project is `jira_project_id`. Grouped, findings of one rule in one project share a ticket, at most ' +
    '50. Tickets are opened during the request, and at most `limit`: everything else is in `failed`. Findings that ' +
    'have a ticket are skipped.',
  isStrict: true,
  transaction: 'manual',
  path: { deploymentSlug: deployment() },
  body: {
    ...filters,
    deploymentSlug: repeated,
    issue_type: ScannerProduct,
    issue_ids: z.array(id('Finding')).max(MAX_V1_TICKETED_FINDINGS).optional(),
    group_issues: z.boolean().default(true),
    jira_project_id: z.string().max(255).optional(),
    limit: z.int().min(1).max(MAX_TICKETS).default(MAX_TICKETS),
  },
  reply: {
    succeeded: z.array(
      z.object({
        issue_ids: z.array(plain.id('Finding')),
        ticket_id: plain.id('ExternalTicket'),
        ticket_url: z.string(),
        external_slug: z.string(),
      }),
    ),
    failed: z.array(z.object({ issue_ids: z.array(plain.id('Finding')), error: z.string() })),
    skipped: z.array(z.object({ issue_ids: z.array(plain.id('Finding')), reason: z.string() })),
  },
  faults: [INVALID_QUERY, NO_TICKETING, TOO_MANY_FINDINGS, VALIDATION_FAILED],
});

export const linkTicket = operation({
  ...facts,
  route: 'POST /api/v1/deployments/{deploymentId}/tickets/link',
  isStrict: true,
  summary: 'Link findings with a ticket',
  description:
    'The ticket must be one of a connected tracker and is checked there. A finding that has another ticket leaves ' +
    'it: `replaced_issue_ids`.',
  transaction: 'manual',
  path,
  body: { deploymentId: repeated, ticket_url: webUrl(), issue_ids: findingIds() },
  reply: {
    ticket_id: plain.id('ExternalTicket'),
    ticket_url: z.string(),
    external_slug: z.string(),
    linked_issue_ids: z.array(id('Finding')),
    replaced_issue_ids: z.array(id('Finding')),
  },
  faults: [NO_TICKETING, TICKET_UNKNOWN, TICKET_URL_REFUSED, TRACKER_UNAVAILABLE, VALIDATION_FAILED],
});

export const unlinkTicket = operation({
  ...facts,
  route: 'POST /api/v1/deployments/{deploymentId}/tickets/unlink',
  isStrict: true,
  summary: 'Unlink findings from their tickets',
  description: 'The tickets themselves stay as they are. Findings without a ticket are left out.',
  path,
  body: { deploymentId: repeated, issue_ids: findingIds() },
  reply: { unlinked_issue_ids: z.array(id('Finding')) },
  faults: [VALIDATION_FAILED],
});

export const deleteTicket = operation({
  ...facts,
  route: 'DELETE /api/v1/deployments/{deploymentId}/ticketing/v2/tickets/{externalTicketId}',
  summary: 'Delete the record of a ticket',
  description: 'Unlinks all findings of the ticket. The ticket itself is never deleted.',
  path: { ...path, externalTicketId: asNumber(id('ExternalTicket')) },
  reply: { issueIds: z.array(id('Finding')) },
});
