import { normalizeFilters, validateFilters } from '#domain/automations/automation-filters.ts';
import { listActivities } from '#domain/automations/deliveries/delivery-list.ts';
import { cancelUnsent } from '#domain/automations/deliveries/delivery-store.ts';
import { explainMatch, type MatchQuestion } from '#domain/automations/engine/explain-match.ts';
import { listNotCarriedOut } from '#domain/automations/engine/run-actions.ts';
import { type ExistingPreview, previewExisting, runOnExisting } from '#domain/automations/engine/run-existing.ts';
import { listRuns } from '#domain/automations/engine/run-list.ts';
import * as store from '#domain/automations/store.ts';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { takeIdSnapshot } from '#domain/findings/tracking/id-snapshot.ts';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const WEEK_MS = 7 * 86_400_000;
const CANCEL_REASONS = { paused: 'The automation was paused.', simulate: 'The automation was set to simulate.' };

async function found(tx: Tx, deployment: string, id: string): Promise<store.StoredAutomation> {
  const automation = await store.find(tx, deployment, id);
  if (!automation) throw NOT_FOUND();
  return automation;
}

async function explain(tx: Tx, question: MatchQuestion) {
  const explanation = await explainMatch(tx, question);
  if (!explanation) throw NOT_FOUND();
  const { firedAt, run, conditions, isMatch, verdict } = explanation;
  return {
    isMatch,
    verdict,
    conditions: conditions.map(({ seen, ...condition }) => ({ ...condition, seen: [...seen] })),
    ...(firedAt !== undefined && { firedAt: new Date(firedAt) }),
    ...(run !== undefined && { runId: run as Id<'AutomationRun'> }),
  };
}

const previewReply = ({ count, projects, worst }: ExistingPreview, snapshot: string) => ({
  count,
  snapshot: snapshot as Id<'Snapshot'>,
  projects,
  worstIssueIds: worst as Id<'Finding'>[],
});

/** AutomationRunsService: what automations did, why, and what they would do. */
export const automationRuns = group(
  'AutomationRunsService',
  contract,
  {
    listAutomationActivity: async ({ path, tx, now, services }) => ({
      activities: await listActivities(tx, path.deploymentId, { since: new Date(now.getTime() - WEEK_MS), now }),
      notCarriedOut: listNotCarriedOut(adaptersOf(services)),
    }),

    listAutomationRuns: async ({ path, page, tx }) => {
      const ref = { deployment: path.deploymentId, automation: path.automationId };
      const { items, cursor } = page.close(await listRuns(tx, ref, page.window), ({ id }) => [id]);
      return { runs: items, cursor };
    },

    setAutomationMode: async ({ path, body, tx, caller, now, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.automationId };
      const before = await store.findForUpdate(tx, ref.deployment, ref.id);
      if (!before) throw NOT_FOUND();
      await store.setMode(tx, ref, { mode: body.mode, by: caller.name });
      if (body.mode !== 'live')
        await cancelUnsent(tx, ref, { reason: CANCEL_REASONS[body.mode], by: caller.name, at: now });
      answer.recordEffect({
        object: `automation/${ref.id}`,
        before: { mode: before.mode },
        after: { mode: body.mode },
      });
      return { mode: body.mode };
    },

    explainAutomation: async ({ path, tx }) => {
      const automation = await found(tx, path.deploymentId, path.automationId);
      const { filters, triggerSource: trigger } = automation;
      return explain(tx, { deployment: path.deploymentId, finding: path.findingId, filters, trigger, automation });
    },

    tryAutomation: async ({ path, body, tx, caller, now }) => {
      const deployment = path.deploymentId;
      const filters = normalizeFilters({
        mode: body.filters.mode ?? 'MODE_ALL',
        conditions: body.filters.conditions.map(({ mode = 'MODE_ANY', type, values }) => ({ mode, type, values })),
      });
      refuseFieldErrors(VALIDATION_FAILED, validateFilters(filters, '#/filters'));
      const { findingId: finding, triggerSource: trigger = 'TRIGGER_SOURCE_SCAN' } = body;
      if (finding !== undefined && (await unknownFindingIds(tx, { caller, now }, [finding])).size > 0)
        throw NOT_FOUND();
      const snapshot = await takeIdSnapshot(tx, deployment);
      const preview = await previewExisting(tx, { deployment, filters, trigger, snapshot });
      return {
        ...previewReply(preview, snapshot),
        ...(finding !== undefined && { explanation: await explain(tx, { deployment, finding, filters, trigger }) }),
      };
    },

    previewAutomationRun: async ({ path, tx }) => {
      const deployment = path.deploymentId;
      const { filters, triggerSource: trigger, id } = await found(tx, deployment, path.automationId);
      const snapshot = await takeIdSnapshot(tx, deployment);
      const preview = await previewExisting(tx, { deployment, filters, trigger, snapshot, automation: id });
      if (preview.missing !== undefined) throw contract.REFERENCE_GONE({ value: preview.missing });
      return previewReply(preview, snapshot);
    },

    runAutomation: async ({ path, body, tx, caller, now, services, answer }) => {
      const deployment = path.deploymentId;
      const { snapshot } = body;
      const automation = await store.findForUpdate(tx, deployment, path.automationId);
      if (!automation) throw NOT_FOUND();
      if (automation.mode === 'paused') throw contract.AUTOMATION_PAUSED();
      const { filters, triggerSource: trigger, id } = automation;
      const preview = await previewExisting(tx, { deployment, filters, trigger, snapshot, automation: id });
      if (preview.missing !== undefined) throw contract.REFERENCE_GONE({ value: preview.missing });
      if (preview.count !== body.count) throw contract.PREVIEW_CHANGED({ count: preview.count });
      if (preview.count > contract.MAX_EXISTING) throw contract.TOO_MANY_EXISTING({ most: contract.MAX_EXISTING });
      const order = { deployment, automation, snapshot, considered: preview.count, by: caller.name, at: now };
      const { run, matched } = await runOnExisting(tx, adaptersOf(services), order);
      answer.recordEffect({ object: `automation/${id}`, after: { run, matched } });
      return { runId: run as Id<'AutomationRun'>, matched };
    },
  },
  {
    objects: {
      automationId: async (tx, { deployment, id }) =>
        (await store.exists(tx, deployment, id)) ? new Set<string>() : undefined,
      findingId: async (tx, { caller, id }) =>
        (await unknownFindingIds(tx, { caller, now: new Date() }, [id])).size === 0 ? new Set<string>() : undefined,
    },
  },
);
