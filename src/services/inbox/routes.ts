import { unknownIds } from '#domain/findings/ids.ts';
import { TRIAGE_REFUSED } from '#domain/findings/shape.ts';
import { triagePermissionOf } from '#domain/products/rules.ts';
import * as products from '#domain/products/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { Id } from '#kernel/contract/proto.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/group.ts';
import * as approvals from './approvals.ts';
import * as contract from './contract.ts';
import * as review from './review.ts';
import * as upkeep from './upkeep.ts';

function refuse(errors: FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  throw VALIDATION_FAILED({ count, first: `${first.pointer} ${first.detail}` }, { errors });
}

async function refuseUnknown({ tx, caller, now }: Call, ids: readonly string[]): Promise<void> {
  const unknown = await unknownIds(tx, { caller, now }, ids);
  const detail = 'is no issue of this deployment';
  refuse(
    ids.flatMap((id, index) =>
      unknown.has(id) ? [{ pointer: `#/issueIds/${index}`, code: 'UNKNOWN_REFERENCE', detail }] : [],
    ),
  );
}

const most = (count: number) => Math.min(count, review.MOST_COUNTED);

/** Who may ignore without asking answers those who may not. */
async function mayDecide(tx: Tx, caller: Caller): Promise<boolean> {
  const { settings } = await products.find(tx, caller.deployment);
  return triagePermissionOf(caller.permissions, settings) === 'TRIAGE_PERMISSION_IGNORE';
}

/** InboxService: what waits for one person. */
export const inbox = group(
  'InboxService',
  contract,
  {
    getInbox: async ({ tx, caller, now }) => {
      const asking = { caller, now };
      const { decisions, tokens, failing } = await upkeep.countUpkeep(tx, asking);
      const fresh = await review.countReview(tx, asking);
      // Who may not decide has nothing waiting here, though there may be requests to see.
      const asked = (await mayDecide(tx, caller)) ? await approvals.countWaiting(tx, asking) : undefined;
      return {
        tabs: [
          { tab: 'REVIEW', count: fresh, issueCount: fresh, q: review.REVIEW },
          {
            tab: 'APPROVALS',
            count: asked ?? 0,
            ...(asked !== undefined && { issueCount: asked, q: approvals.WAITING }),
          },
          { tab: 'EXPIRING', count: most(decisions + tokens), issueCount: most(decisions), q: upkeep.ENDING },
          { tab: 'FAILING', count: most(failing) },
        ],
      };
    },

    listReview: async ({ tx, caller, now, page }) => {
      const issues = await review.reviewOf(tx, { caller, now }, page);
      return { issues, cursor: page.next };
    },

    markDone: async (call) => {
      const { tx, caller, now, body, answer } = call;
      await refuseUnknown(call as unknown as Call, body.issueIds);
      const count = await review.markDone(tx, { caller, now }, body.issueIds);
      answer.changed({ object: 'inbox', after: { done: body.issueIds } });
      return { count };
    },

    markUndone: async (call) => {
      const { tx, caller, now, body, answer } = call;
      await refuseUnknown(call as unknown as Call, body.issueIds);
      const count = await review.markUndone(tx, { caller, now }, body.issueIds);
      answer.changed({ object: 'inbox', after: { undone: body.issueIds } });
      return { count };
    },

    listApprovals: async ({ tx, caller, now, page }) => {
      const rows = (await mayDecide(tx, caller)) ? await approvals.waiting(tx, { caller, now }, page.window) : [];
      const { items, cursor } = page.close(rows, ({ requestId }) => [requestId]);
      return { requests: items, cursor };
    },

    getExpiring: ({ tx, caller, now }) => upkeep.expiringOf(tx, { caller, now }),

    getFailing: ({ tx, caller, now }) => upkeep.failingOf(tx, { caller, now }),

    decideException: async ({ path, body, tx, caller, now, answer }) => {
      if (!(await mayDecide(tx, caller))) throw TRIAGE_REFUSED();
      if (body.until && (body.until <= now || !body.isApproved))
        refuse([{ pointer: '#/until', code: 'INVALID', detail: 'must be ahead, and belongs to an approval' }]);
      const batch = await approvals.decide(tx, { caller, now }, { request: path.requestId, verdict: body });
      answer.changed({ object: `exception/${path.requestId}`, before: { state: 'REQUESTED' }, after: body });
      return {
        requestId: path.requestId,
        state: body.isApproved ? 'APPROVED' : 'REJECTED',
        ...(batch !== undefined && { batchId: batch as Id<'FindingBatch'> }),
      };
    },
  },
  {
    objects: {
      requestId: async (tx, { caller, id }) =>
        (await approvals.isVisibleRequest(tx, { caller, now: new Date(0) }, id)) ? new Set<string>() : undefined,
    },
  },
);
