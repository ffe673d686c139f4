import { activateDestination, deleteDestination } from '#domain/automations/deliveries/destination-store.ts';
import { pauseDependents } from '#domain/automations/store.ts';
import { selectFindingIds } from '#domain/findings/filter/select-findings.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import { createTickets } from '#domain/ticketing/create-tickets.ts';
import { linkByUrl } from '#domain/ticketing/link-by-url.ts';
import { forgetTicket, unlinkFindings } from '#domain/ticketing/link-tickets.ts';
import { requireFindings, seesTicket } from '#domain/ticketing/ticket-access.ts';
import { applyAutomationStates, deleteBuiltInAutomations } from '#domain/ticketing/ticket-automations.ts';
import { findingsOf } from '#domain/ticketing/ticket-store.ts';
import * as instances from '#domain/ticketing/ticketing-instances.ts';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import { findingFilterOf, hasCriteria } from '../list/filter-mapping.ts';
import * as contract from './contract.ts';
import { answerInstance, checkSettings } from './save-instance.ts';

/** Within this time tickets are opened; the rest is queued. */
const BUDGET_MS = 10_000;
const TICKETS_PER_REQUEST = 20;

type CreateCall = Call<typeof contract.createExternalTickets>;

/** The findings that a request means: by ids, by filters, or by both. */
async function findingsFor({ body, read, caller, now }: CreateCall): Promise<string[]> {
  const { issueIds = [], issueFilters = {}, issueType, issueTypes } = body;
  const query = { issueType, issueTypes, filter: issueFilters };
  if (issueIds.length === 0 && !hasCriteria(query))
    refuseFieldErrors(VALIDATION_FAILED, [
      { pointer: '#/issueIds', code: 'REQUIRED', detail: 'is required without a filter' },
    ]);
  const context = { caller, now };
  return read(async (tx) => {
    if (issueIds.length === 0) {
      const filter = findingFilterOf(query, now);
      const without = issueFilters.includeTicketed === true ? [] : [{ has: ['ticket'] as const }];
      return selectFindingIds(tx, context, { filter: { ...filter, without }, most: contract.MAX_TICKETED_FINDINGS });
    }
    const findings = await requireFindings(tx, context, { ids: issueIds, pointer: '#/issueIds' });
    if (!hasCriteria(query)) return findings;
    const filter = findingFilterOf({ ...query, filter: { ...issueFilters, issueParentIds: findings as never } }, now);
    return selectFindingIds(tx, context, { filter, most: contract.MAX_TICKETED_FINDINGS });
  });
}

const findingIds = (ids: readonly string[]) => ids as Id<'Finding'>[];

/** ExternalTicketingService: trackers, and the tickets of findings. */
export const externalTicketing = group(
  'ExternalTicketingService',
  contract,
  {
    getTicketingInstances: async ({ path, tx }) => ({
      instances: (await instances.listInstances(tx, path.deploymentId)).map(instances.shownInstance),
    }),

    createTicketingInstance: async (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, transact, services, answer, caller } = call;
        const { settings, token } = await checkSettings(call);
        return transact(async (tx) => {
          const deployment = path.deploymentId;
          await lockLimit(tx, { deployment, limit: 'ticketing-instances' });
          if ((await instances.listInstances(tx, deployment)).length >= contract.MAX_TICKETING_INSTANCES)
            throw contract.TICKETING_QUOTA({ most: contract.MAX_TICKETING_INSTANCES });
          const ref = await instances.insertInstance(tx, deployment, settings);
          await instances.setToken(tx, services.keys, ref, token);
          const { automationStates: states, name } = settings;
          await applyAutomationStates(tx, ref, { states, name, by: actorOf(caller) });
          answer.recordEffect({ object: `ticketing-instance/${ref.id}`, after: settings });
          return answerInstance(tx, ref);
        });
      }),

    updateTicketingInstance: async (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, transact, services, answer, caller } = call;
        const ref = { deployment: path.deploymentId, id: path.ticketingInstanceId };
        const { settings, token } = await checkSettings(call, ref);
        return transact(async (tx) => {
          const before = await instances.lockInstance(tx, ref);
          if (!before) throw NOT_FOUND();
          await instances.updateInstance(tx, ref, settings);
          await instances.setToken(tx, services.keys, ref, token);
          const { automationStates: states, name } = settings;
          await applyAutomationStates(tx, ref, { states, name, by: actorOf(caller) });
          await activateDestination(tx, ref);
          answer.recordEffect({ object: `ticketing-instance/${ref.id}`, before, after: settings });
          return answerInstance(tx, ref);
        });
      }),

    deleteTicketingInstance: async ({ path, tx, caller, now, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.ticketingInstanceId };
      const before = await instances.lockInstance(tx, ref);
      if (!before) throw NOT_FOUND();
      await deleteBuiltInAutomations(tx, ref);
      const paused = await pauseDependents(tx, ref.deployment, {
        ...{ actions: ['ACTION_TYPE_JIRA'], keys: ['credential_slug'], values: [before.slug], by: actorOf(caller) },
        reason: `The tracker ${before.name} was disconnected.`,
      });
      await deleteDestination(tx, ref, { by: actorOf(caller), at: now });
      answer.recordEffect({ object: `ticketing-instance/${ref.id}`, before });
      return { pausedAutomations: paused.map(({ id, name }) => ({ id: id as Id<'Automation'>, name })) };
    },

    createExternalTickets: async (call) => {
      const { path, body, services, caller, now, answer } = call;
      const writes = { begin: call.transact, write: call.transactFurther };
      const { deploymentId: deployment, ticketingInstanceId: instance } = path;
      const findings = await findingsFor(call);
      answer.recordEffect({ object: `ticketing-instance/${instance}`, after: { findings } });
      const { succeeded, failed, skipped } = await createTickets(writes, services, {
        ...{ deployment, instance, findings, now, by: actorOf(caller), isGrouped: body.groupIssues },
        ...{ trackerProject: body.projectId ?? '', maxTickets: TICKETS_PER_REQUEST, isRestQueued: true },
        budgetMs: BUDGET_MS,
      });
      return {
        succeeded: succeeded.map(({ ticket, url, slug, ...one }) => ({
          issueIds: findingIds(one.findings),
          ticketId: ticket as Id<'ExternalTicket'>,
          ticketUrl: url,
          externalSlug: slug,
        })),
        failed: failed.map(({ error, ...one }) => ({ issueIds: findingIds(one.findings), error })),
        skipped: skipped.map(({ reason, ...one }) => ({ issueIds: findingIds(one.findings), reason })),
      };
    },

    linkTicket: async ({ path, body, read, transact, services, caller, now, answer }) => {
      const { deploymentId: deployment, ticketingInstanceId: instance } = path;
      const order = { ids: body.issueIds, pointer: '#/issueIds' };
      const findings = await read((tx) => requireFindings(tx, { caller, now }, order));
      answer.recordEffect({ object: `ticketing-instance/${instance}`, after: { ...body, findings } });
      const made = await linkByUrl({ read, write: transact }, services, {
        ...{ deployment, instance, ticketUrl: body.ticketUrl, findings, by: actorOf(caller), now },
      });
      return {
        ticketId: made.ticket as Id<'ExternalTicket'>,
        ticketUrl: made.url,
        externalSlug: made.slug,
        linkedIssueIds: findingIds(made.linked),
        replacedIssueIds: findingIds(made.replaced),
      };
    },

    unlinkTicket: async ({ path, body, tx, caller, now, answer }) => {
      const { deploymentId: deployment, ticketingInstanceId: instance } = path;
      const findings = await requireFindings(tx, { caller, now }, { ids: body.issueIds, pointer: '#/issueIds' });
      const unlinked = await unlinkFindings(tx, deployment, { findings, instance, by: actorOf(caller), at: now });
      answer.recordEffect({ object: `ticketing-instance/${instance}`, before: { findings: unlinked } });
      return { unlinkedIssueIds: findingIds(unlinked) };
    },

    deleteExternalTicket: async ({ path, tx, caller, now, answer }) => {
      const ref = { deployment: path.deploymentId, ticket: path.externalTicketId };
      const findings = await findingsOf(tx, ref);
      await forgetTicket(tx, ref, { by: actorOf(caller), at: now });
      answer.recordEffect({ object: `ticket/${path.externalTicketId}`, before: { findings } });
      return { issueIds: findingIds(findings) };
    },
  },
  {
    objects: {
      ticketingInstanceId: async (tx, ref) => ((await instances.findInstance(tx, ref)) ? new Set<string>() : undefined),
      externalTicketId: async (tx, { deployment, id, path, caller }) => {
        const isVisible = await seesTicket(
          tx,
          { caller, now: new Date() },
          {
            ...{ deployment, ticket: id },
            ...(path['ticketingInstanceId'] !== undefined && { instance: path['ticketingInstanceId'] }),
          },
        );
        return isVisible ? new Set<string>() : undefined;
      },
    },
  },
);
