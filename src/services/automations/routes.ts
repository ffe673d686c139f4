import {
  type ActionDraft,
  assignActionIds,
  normalizeAction,
  validateActionIds,
  validateActions,
} from '#domain/automations/actions.ts';
import { normalizeFilters, referencedProjects, validateFilters } from '#domain/automations/automation-filters.ts';
import type { AutomationAction, AutomationFilters, AutomationTriggerSource } from '#domain/automations/shape.ts';
import * as store from '#domain/automations/store.ts';
import * as deployments from '#domain/deployments/store.ts';
import { findUnknownProjects } from '#domain/teams/members.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const MOST_ERRORS = 50;

function refuse(errors: FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  throw contract.AUTOMATION_REFUSED(
    { count, first: `${first.pointer} ${first.detail}` },
    { errors: errors.slice(0, MOST_ERRORS) },
  );
}

interface Wanted {
  filters: AutomationFilters;
  actions: ActionDraft[];
  triggerSource: AutomationTriggerSource;
}

/** What a request asks for, in one spelling and with every default in its place. */
const wantedIn = (
  { filters, actions, triggerSource }: contract.AutomationDraft,
  fallback: AutomationTriggerSource,
): Wanted => ({
  filters: normalizeFilters({
    mode: filters.mode ?? 'MODE_ALL',
    conditions: filters.conditions.map(({ mode = 'MODE_ANY', type, values }) => ({ mode, type, values })),
  }),
  actions: actions.map(({ type, config = {}, id }) =>
    normalizeAction({ type, config, id: id === '' ? undefined : id }),
  ),
  triggerSource: triggerSource ?? fallback,
});

function sizeProblems({ filters, actions }: Wanted): FieldError[] {
  const bytes = Buffer.byteLength(JSON.stringify([filters, actions]));
  const detail = `has ${bytes} bytes of filters and actions; the most is ${contract.MAX_AUTOMATION_BYTES}`;
  return bytes > contract.MAX_AUTOMATION_BYTES ? [{ pointer: '#/automation', code: 'TOO_LARGE', detail }] : [];
}

/** Refuses what could never run: by its own words first, then by what is there. */
async function verify(tx: Tx, caller: Caller, wanted: Wanted): Promise<void> {
  const { filters, actions, triggerSource: trigger } = wanted;
  const pointer = '#/automation/filters';
  refuse([
    ...sizeProblems(wanted),
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
  refuse(
    projects
      .filter(({ id }) => unknown.has(id))
      .map((project) => ({ pointer: project.pointer, code: 'UNKNOWN_REFERENCE', detail })),
  );
}

function answerWith(answer: Call['answer'], { version, lastActionId: _, ...automation }: store.StoredAutomation) {
  answer.setEtag(version);
  return { automation };
}

const NO_ACTIONS: { before: AutomationAction[]; lastId: number } = { before: [], lastId: 0 };

/** AutomationsService: what shall be done about findings when conditions hold. */
export const automations = group(
  'AutomationsService',
  contract,
  {
    listAutomations: async ({ path, tx }) => ({ automations: await store.list(tx, path.deploymentId) }),

    createAutomation: async ({ path, body, tx, caller, answer }) => {
      const { automation: draft } = body;
      const wanted = wantedIn(draft, 'TRIGGER_SOURCE_SCAN');
      await verify(tx, caller, wanted);
      await deployments.lock(tx, path.deploymentId);
      if ((await store.countAll(tx, path.deploymentId)) >= contract.MAX_AUTOMATIONS)
        throw contract.AUTOMATION_QUOTA({ most: contract.MAX_AUTOMATIONS });
      // Ids in a new automation are those of the one that it was copied from.
      const anonymous = wanted.actions.map(({ type, config }) => ({ type, config }));
      const { actions, lastId } = assignActionIds(anonymous, NO_ACTIONS);
      const made = await store.insert(tx, path.deploymentId, {
        ...wanted,
        actions,
        lastActionId: lastId,
        name: draft.name.trim(),
        description: draft.description ?? '',
        active: draft.active ?? true,
        by: caller.name,
      });
      answer.recordEffect({ object: `automation/${made.id}`, after: made });
      return answerWith(answer, made);
    },

    updateAutomation: async ({ path, body, tx, caller, answer }) => {
      const { automation: draft } = body;
      const before = await store.findForUpdate(tx, path.deploymentId, path.automationId);
      if (!before) throw NOT_FOUND();
      answer.expectVersion(before.version);
      if (draft.id !== undefined && draft.id !== '' && draft.id !== path.automationId)
        refuse([{ pointer: '#/automation/id', code: 'PATH_MISMATCH', detail: 'does not agree with the path' }]);
      const wanted = wantedIn(draft, before.triggerSource);
      refuse(validateActionIds(wanted.actions, before.actions, '#/automation/actions'));
      await verify(tx, caller, wanted);
      const { actions, lastId } = assignActionIds(wanted.actions, {
        before: before.actions,
        lastId: before.lastActionId,
      });
      const place = { deployment: path.deploymentId, id: path.automationId };
      const after = await store.update(tx, place, {
        ...wanted,
        actions,
        lastActionId: lastId,
        name: draft.name.trim(),
        description: draft.description ?? before.description,
        active: draft.active ?? before.active,
        by: caller.name,
      });
      answer.recordEffect({ object: `automation/${path.automationId}`, before, after });
      return answerWith(answer, after);
    },

    deleteAutomation: async ({ path, tx, answer }) => {
      const before = await store.findForUpdate(tx, path.deploymentId, path.automationId);
      if (!before) throw NOT_FOUND();
      await store.remove(tx, path.deploymentId, path.automationId);
      answer.recordEffect({ object: `automation/${path.automationId}`, before });
      return {};
    },

    restoreAutomation: async ({ path, tx, caller, answer }) => {
      await deployments.lock(tx, path.deploymentId);
      if ((await store.countAll(tx, path.deploymentId)) >= contract.MAX_AUTOMATIONS)
        throw contract.AUTOMATION_QUOTA({ most: contract.MAX_AUTOMATIONS });
      const place = { deployment: path.deploymentId, id: path.deletedAutomationId };
      const restored = await store.restore(tx, place, caller.name);
      if (!restored) throw NOT_FOUND();
      answer.recordEffect({ object: `automation/${place.id}`, after: restored });
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
