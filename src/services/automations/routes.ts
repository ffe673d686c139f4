import {
  type ActionDraft,
  assignActionIds,
  normalizeAction,
  validateActionIds,
  validateActions,
  validateTrigger,
} from '#domain/automations/actions.ts';
import { normalizeFilters, referencedProjects, validateFilters } from '#domain/automations/automation-filters.ts';
import { cancelUnsent } from '#domain/automations/deliveries/delivery-store.ts';
import type { AutomationAction, AutomationFilters, AutomationTriggerSource } from '#domain/automations/shape.ts';
import * as store from '#domain/automations/store.ts';
import { lockPolicies } from '#domain/policies/unified-policies.ts';
import { findUnknownProjects } from '#domain/teams/members.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const MAX_LISTED_ERRORS = 50;

const refuseAutomation = (errors: readonly FieldError[]): void =>
  refuseFieldErrors(contract.AUTOMATION_REFUSED, errors, MAX_LISTED_ERRORS);

interface AutomationInput {
  filters: AutomationFilters;
  actions: ActionDraft[];
  triggerSource: AutomationTriggerSource;
}

/** The request in canonical spelling, with every default filled in. */
const inputOf = (
  { filters, actions, triggerSource }: contract.AutomationDraft,
  fallback: AutomationTriggerSource,
): AutomationInput => ({
  filters: normalizeFilters({
    mode: filters.mode ?? 'MODE_ALL',
    conditions: filters.conditions.map(({ mode = 'MODE_ANY', type, values }) => ({ mode, type, values })),
  }),
  actions: actions.map(({ type, config = {}, id }) =>
    normalizeAction({ type, config, id: id === '' ? undefined : id }),
  ),
  triggerSource: triggerSource ?? fallback,
});

function validateSize({ filters, actions }: AutomationInput): FieldError[] {
  const bytes = Buffer.byteLength(JSON.stringify([filters, actions]));
  const detail = `has ${bytes} bytes of filters and actions; the maximum is ${contract.MAX_AUTOMATION_BYTES}`;
  return bytes > contract.MAX_AUTOMATION_BYTES ? [{ pointer: '#/automation', code: 'TOO_LARGE', detail }] : [];
}

/** Refuses an automation that could never run; the projects are looked up only if the rest is valid. */
async function refuseInvalid(tx: Tx, caller: Caller, input: AutomationInput): Promise<void> {
  const { filters, actions, triggerSource: trigger } = input;
  const pointer = '#/automation/filters';
  refuseAutomation([
    ...validateSize(input),
    ...validateTrigger(trigger, '#/automation/triggerSource'),
    ...validateFilters(filters, pointer),
    ...validateActions(actions, { trigger, pointer: '#/automation/actions' }),
  ]);
  const projects = referencedProjects(filters, pointer);
  const unknown = await findUnknownProjects(
    tx,
    caller,
    projects.map(({ id }) => id),
  );
  const detail = 'is not a project of this deployment';
  refuseAutomation(
    projects
      .filter(({ id }) => unknown.has(id))
      .map((project) => ({ pointer: project.pointer, code: 'UNKNOWN_REFERENCE', detail })),
  );
}

function answerWith(
  answer: Call['answer'],
  { version, lastActionId: _, slug: __, mode: ___, ...automation }: store.StoredAutomation,
) {
  answer.setEtag(version);
  return { automation };
}

const NO_ACTIONS: { before: AutomationAction[]; lastId: number } = { before: [], lastId: 0 };

/** AutomationsService: actions that run on findings that match conditions. */
export const automations = group(
  'AutomationsService',
  contract,
  {
    listAutomations: async ({ path, tx }) => ({ automations: await store.list(tx, path.deploymentId) }),

    createAutomation: async ({ path, body, tx, caller, answer }) => {
      const { automation: draft } = body;
      const input = inputOf(draft, 'TRIGGER_SOURCE_SCAN');
      await refuseInvalid(tx, caller, input);
      await lockPolicies(tx, path.deploymentId);
      if ((await store.countAll(tx, path.deploymentId)) >= contract.MAX_AUTOMATIONS)
        throw contract.AUTOMATION_QUOTA({ most: contract.MAX_AUTOMATIONS });
      // Action ids in a new automation come from the automation that it was copied from.
      const withoutIds = input.actions.map(({ type, config }) => ({ type, config }));
      const { actions, lastId } = assignActionIds(withoutIds, NO_ACTIONS);
      const inserted = await store.insert(tx, path.deploymentId, {
        ...input,
        actions,
        lastActionId: lastId,
        name: draft.name.trim(),
        description: draft.description ?? '',
        active: draft.active ?? true,
        by: caller.name,
      });
      answer.recordEffect({ object: `automation/${inserted.id}`, after: inserted });
      return answerWith(answer, inserted);
    },

    updateAutomation: async ({ path, body, tx, caller, now, answer }) => {
      const { automation: draft } = body;
      await lockPolicies(tx, path.deploymentId);
      const before = await store.findForUpdate(tx, path.deploymentId, path.automationId);
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      if (draft.id !== undefined && draft.id !== '' && draft.id !== path.automationId)
        refuseAutomation([
          { pointer: '#/automation/id', code: 'PATH_MISMATCH', detail: 'does not agree with the path' },
        ]);
      const input = inputOf(draft, before.triggerSource);
      refuseAutomation(validateActionIds(input.actions, before.actions, '#/automation/actions'));
      await refuseInvalid(tx, caller, input);
      const { actions, lastId } = assignActionIds(input.actions, {
        before: before.actions,
        lastId: before.lastActionId,
      });
      const ref = { deployment: path.deploymentId, id: path.automationId };
      const after = await store.update(tx, ref, {
        ...input,
        actions,
        lastActionId: lastId,
        name: draft.name.trim(),
        description: draft.description ?? before.description,
        active: draft.active ?? before.active,
        by: caller.name,
      });
      const kept = after.active ? after.actions.map(({ id }) => id) : [];
      const reason = after.active ? 'The action was removed.' : 'The automation was paused.';
      await cancelUnsent(tx, ref, { keptActions: kept, reason, by: caller.name, at: now });
      answer.recordEffect({ object: `automation/${path.automationId}`, before, after });
      return answerWith(answer, after);
    },

    deleteAutomation: async ({ path, tx, caller, now, answer }) => {
      await lockPolicies(tx, path.deploymentId);
      const before = await store.findForUpdate(tx, path.deploymentId, path.automationId);
      if (!before) throw NOT_FOUND();
      await store.remove(tx, path.deploymentId, path.automationId);
      const ref = { deployment: path.deploymentId, id: path.automationId };
      await cancelUnsent(tx, ref, { reason: 'The automation was deleted.', by: caller.name, at: now });
      answer.recordEffect({ object: `automation/${path.automationId}`, before });
      return {};
    },

    restoreAutomation: async ({ path, tx, caller, answer }) => {
      await lockPolicies(tx, path.deploymentId);
      if ((await store.countAll(tx, path.deploymentId)) >= contract.MAX_AUTOMATIONS)
        throw contract.AUTOMATION_QUOTA({ most: contract.MAX_AUTOMATIONS });
      const ref = { deployment: path.deploymentId, id: path.deletedAutomationId };
      const restored = await store.restore(tx, ref, caller.name);
      if (!restored) throw NOT_FOUND();
      answer.recordEffect({ object: `automation/${ref.id}`, after: restored });
      return answerWith(answer, restored);
    },

    listAutomationsV2: async ({ path, page, tx }) => {
      const { items, cursor } = page.close(await store.listPage(tx, path.deploymentId, page.window), ({ id }) => [id]);
      return { automations: items, cursor };
    },
  },
  {
    objects: {
      automationId: async (tx, { deployment, id }) =>
        (await store.exists(tx, deployment, id)) ? new Set<string>() : undefined,
      deletedAutomationId: async (tx, { deployment, id }) =>
        (await store.isRestorable(tx, deployment, id)) ? new Set<string>() : undefined,
    },
  },
);
