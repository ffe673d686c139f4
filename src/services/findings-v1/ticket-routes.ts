import { selectFindingIds } from '#domain/findings/filter/select-findings.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import { createTickets } from '#domain/ticketing/create-tickets.ts';
import { linkByUrl } from '#domain/ticketing/link-by-url.ts';
import { forgetTicket, unlinkFindings } from '#domain/ticketing/link-tickets.ts';
import { requireFindings, seesTicket } from '#domain/ticketing/ticket-access.ts';
import { findingsOf } from '#domain/ticketing/ticket-store.ts';
import { listInstances } from '#domain/ticketing/ticketing-instances.ts';
import { NO_TICKETING } from '#domain/ticketing/ticketing-shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './ticket-contract.ts';
import { findingFilterOfV1 } from './v1-filter-mapping.ts';
import { hasV1Filter, parseSince } from './v1-request.ts';

/** The contract's limit of findings in one ticket. */
const FINDINGS_PER_TICKET = 50;
const BUDGET_MS = 25_000;
const OTHER_MEMBERS = ['limit', 'issue_type', 'group_issues', 'jira_project_id', 'deploymentSlug'];

type CreateCall = Call<typeof contract.createTicket>;

async function findingsFor({ body, read, caller, now }: CreateCall): Promise<string[]> {
  const { issue_ids: ids = [], since = '', status } = body;
  if (!hasV1Filter(body, OTHER_MEMBERS))
    refuseFieldErrors(VALIDATION_FAILED, [
      { pointer: '#/issue_ids', code: 'REQUIRED', detail: 'is required without a filter' },
    ]);
  const context = { caller, now };
  return read(async (tx) => {
    const named = ids.length === 0 ? [] : await requireFindings(tx, context, { ids, pointer: '#/issue_ids' });
    const filter = {
      ...findingFilterOfV1(body, [body.issue_type]),
      ...(named.length > 0 && { ids: named }),
      ...(since !== '' && { relevantSince: [{ from: parseSince(since) }] }),
      // A filter means findings that can get a ticket, unless it says otherwise.
      ...(named.length === 0 && status === undefined && { is: ['open', 'reviewing', 'fixing'] as const }),
      isAnywhere: true,
    };
    return selectFindingIds(tx, context, { filter, most: contract.MAX_V1_TICKETED_FINDINGS });
  });
}

const findingIds = (ids: readonly string[]) => ids as Id<'Finding'>[];

/** TicketingService of v1: tickets of findings. */
export const v1Ticketing = group(
  'TicketingService',
  contract,
  {
    createTicket: async (call) => {
      const { path, body, read, services, caller, now, answer } = call;
      const writes = { begin: call.transact, write: call.transactFurther };
      const deployment = path.deploymentSlug;
      const { jira_project_id: project = '', group_issues: isGrouped, limit } = body;
      const all = await read((tx) => listInstances(tx, deployment));
      const instance = all.find((one) => one.tracker_project === project) ?? all[0];
      if (!instance) throw NO_TICKETING();
      const findings = await findingsFor(call);
      answer.recordEffect({ object: `ticketing-instance/${instance.id}`, after: { findings } });
      const { succeeded, failed, skipped } = await createTickets(writes, services, {
        ...{ deployment, instance: instance.id, trackerProject: project, findings, isGrouped, now },
        ...{ findingsPerTicket: FINDINGS_PER_TICKET, maxTickets: limit, isRestQueued: false },
        ...{ budgetMs: BUDGET_MS, by: actorOf(caller) },
      });
      return {
        succeeded: succeeded.map(({ ticket, url, slug, ...one }) => ({
          issue_ids: findingIds(one.findings),
          ticket_id: ticket as Id<'ExternalTicket'>,
          ticket_url: url,
          external_slug: slug,
        })),
        failed: failed.map(({ error, ...one }) => ({ issue_ids: findingIds(one.findings), error })),
        skipped: skipped.map(({ reason, ...one }) => ({ issue_ids: findingIds(one.findings), reason })),
      };
    },

    linkTicket: async ({ path, body, read, transact, services, caller, now, answer }) => {
      const deployment = path.deploymentId;
      const order = { ids: body.issue_ids, pointer: '#/issue_ids' };
      const findings = await read((tx) => requireFindings(tx, { caller, now }, order));
      answer.recordEffect({ object: 'ticket/linked', after: { url: body.ticket_url, findings } });
      const made = await linkByUrl({ read, write: transact }, services, {
        ...{ deployment, ticketUrl: body.ticket_url, findings, by: actorOf(caller), now },
      });
      return {
        ticket_id: made.ticket as Id<'ExternalTicket'>,
        ticket_url: made.url,
        external_slug: made.slug,
        linked_issue_ids: findingIds(made.linked),
        replaced_issue_ids: findingIds(made.replaced),
      };
    },

    unlinkTicket: async ({ path, body, tx, caller, now, answer }) => {
      const findings = await requireFindings(tx, { caller, now }, { ids: body.issue_ids, pointer: '#/issue_ids' });
      const unlinked = await unlinkFindings(tx, path.deploymentId, { findings, by: actorOf(caller), at: now });
      answer.recordEffect({ object: 'ticket/unlinked', before: { findings: unlinked } });
      return { unlinked_issue_ids: findingIds(unlinked) };
    },

    deleteTicket: async ({ path, tx, caller, now, answer }) => {
      const ref = { deployment: path.deploymentId, ticket: path.externalTicketId };
      const findings = await findingsOf(tx, ref);
      await forgetTicket(tx, ref, { by: actorOf(caller), at: now });
      answer.recordEffect({ object: `ticket/${path.externalTicketId}`, before: { findings } });
      return { issueIds: findingIds(findings) };
    },
  },
  {
    objects: {
      externalTicketId: async (tx, { deployment, id, caller }) =>
        (await seesTicket(tx, { caller, now: new Date() }, { deployment, ticket: id })) ? new Set<string>() : undefined,
    },
  },
);
