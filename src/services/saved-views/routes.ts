import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

type ViewCall = Pick<Call, 'tx' | 'caller'>;

async function requireView({ tx, caller }: ViewCall, id: string) {
  const view = await store.findView(tx, caller, id);
  if (!view) throw NOT_FOUND();
  return view;
}

async function refuseUnknownTeam({ tx, caller }: ViewCall, team: string | undefined): Promise<void> {
  if (team !== undefined && !(await store.isTeamVisible(tx, caller, team)))
    refuseFieldErrors(VALIDATION_FAILED, [
      { pointer: '#/teamId', code: 'UNKNOWN_REFERENCE', detail: 'is not a team that you can see' },
    ]);
}

/** SavedViewsService: lists of findings under a name, for a person and their teams. */
export const savedViews = group(
  'SavedViewsService',
  contract,
  {
    listSavedViews: async ({ tx, caller, page }) => {
      const rows = await store.listViews(tx, caller, page.window);
      const { items, cursor } = page.close(rows, ({ id }) => [id]);
      return { views: items, cursor };
    },

    createSavedView: async ({ body, tx, caller, now, answer }) => {
      const { search, teamId: team, isPinned } = body;
      const name = body.name.trim();
      await refuseUnknownTeam({ tx, caller }, team);
      await lockLimit(tx, { deployment: caller.deployment, limit: `saved-views ${caller.userId}` });
      if ((await store.countOwnViews(tx, caller)) >= contract.MAX_SAVED_VIEWS)
        throw contract.VIEW_QUOTA({ most: contract.MAX_SAVED_VIEWS });
      const id = await store.insertView(tx, caller, { name, search, team, at: now });
      if (isPinned === true) await store.pinView(tx, caller, id);
      const view = await requireView({ tx, caller }, id);
      answer.recordEffect({ object: `saved-view/${id}`, after: view });
      return { view };
    },

    updateSavedView: async ({ path, body, tx, caller, answer }) => {
      const id = path.viewId;
      const before = await requireView({ tx, caller }, id);
      await refuseUnknownTeam({ tx, caller }, body.teamId);
      const { search = before.search, isShared = true } = body;
      const name = body.name?.trim() ?? before.name;
      const team = isShared ? (body.teamId ?? before.teamId) : undefined;
      if ((await store.saveView(tx, caller, { id, name, search, team })) === 0) throw NOT_FOUND();
      const view = await requireView({ tx, caller }, id);
      answer.recordEffect({ object: `saved-view/${id}`, before, after: view });
      return { view };
    },

    pinSavedView: async ({ path, body, tx, caller, answer }) => {
      const id = path.viewId;
      const before = await requireView({ tx, caller }, id);
      await (body.isPinned ? store.pinView : store.unpinView)(tx, caller, id);
      answer.recordEffect({ object: `saved-view/${id}`, after: { isPinned: body.isPinned } });
      return { view: { ...before, isPinned: body.isPinned } };
    },

    deleteSavedView: async ({ path, tx, caller, answer }) => {
      const before = await requireView({ tx, caller }, path.viewId);
      if ((await store.deleteView(tx, caller, path.viewId)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `saved-view/${path.viewId}`, before });
      return {};
    },
  },
  {
    objects: {
      viewId: async (tx, { deployment, id }) =>
        (await store.viewExists(tx, deployment, id)) ? new Set<string>() : undefined,
    },
  },
);
