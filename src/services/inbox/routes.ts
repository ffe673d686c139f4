import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { TRIAGE_REFUSED } from '#domain/findings/shape.ts';
import * as notifications from '#domain/notifications/store.ts';
import { canIgnoreFindings } from '#domain/products/triage-permission.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as approvals from './approvals.ts';
import * as contract from './contract.ts';
import * as maintenance from './maintenance.ts';
import * as review from './review.ts';

async function refuseUnknownIssues({ tx, caller, now }: Call, ids: readonly string[]): Promise<void> {
  const unknown = await unknownFindingIds(tx, { caller, now }, ids);
  const detail = 'is not an issue of this deployment';
  refuseFieldErrors(
    VALIDATION_FAILED,
    ids.flatMap((id, index) =>
      unknown.has(id) ? [{ pointer: `#/issueIds/${index}`, code: 'UNKNOWN_REFERENCE', detail }] : [],
    ),
  );
}

const capped = (count: number) => Math.min(count, review.MAX_INBOX_COUNT);

/** InboxService: what needs the attention of the caller. */
export const inbox = group(
  'InboxService',
  contract,
  {
    getInbox: async ({ tx, caller, now }) => {
      const context = { caller, now };
      const { decisions, tokens, failing } = await maintenance.countMaintenance(tx, context);
      const toReview = await review.countMatching(tx, context, review.REVIEW_QUERY);
      const assigned = await review.countMatching(tx, context, review.ASSIGNED_QUERY);
      // Callers who may not approve have no approvals waiting, even if requests exist.
      const toApprove = (await canIgnoreFindings(tx, caller)) ? await approvals.countWaiting(tx, context) : undefined;
      return {
        tabs: [
          { tab: 'REVIEW', count: toReview, issueCount: toReview, q: review.REVIEW_QUERY },
          { tab: 'ASSIGNED', count: assigned, issueCount: assigned, q: review.ASSIGNED_QUERY },
          {
            tab: 'APPROVALS',
            count: toApprove ?? 0,
            ...(toApprove !== undefined && { issueCount: toApprove, q: approvals.WAITING_APPROVALS_QUERY }),
          },
          {
            tab: 'EXPIRING',
            count: capped(decisions + tokens),
            issueCount: capped(decisions),
            q: maintenance.EXPIRING_QUERY,
          },
          { tab: 'FAILING', count: capped(failing) },
          { tab: 'NOTICES', count: await notifications.countUnseen(tx, caller, review.MAX_INBOX_COUNT) },
        ],
      };
    },

    listReview: async ({ tx, caller, now, page }) => {
      const issues = await review.listMatchingPage(tx, { caller, now }, { q: review.REVIEW_QUERY, page });
      return { issues, cursor: page.next };
    },

    listAssigned: async ({ tx, caller, now, page }) => {
      const issues = await review.listMatchingPage(tx, { caller, now }, { q: review.ASSIGNED_QUERY, page });
      return { issues, cursor: page.next };
    },

    markDone: async (call) => {
      const { tx, caller, now, body, answer } = call;
      await refuseUnknownIssues(call as unknown as Call, body.issueIds);
      const count = await review.markDone(tx, { caller, now }, body.issueIds);
      answer.recordEffect({ object: 'inbox', after: { done: body.issueIds } });
      return { count };
    },

    markUndone: async (call) => {
      const { tx, caller, now, body, answer } = call;
      await refuseUnknownIssues(call as unknown as Call, body.issueIds);
      const count = await review.markUndone(tx, { caller, now }, body.issueIds);
      answer.recordEffect({ object: 'inbox', after: { undone: body.issueIds } });
      return { count };
    },

    listApprovals: async ({ tx, caller, now, page }) => {
      const rows = (await canIgnoreFindings(tx, caller))
        ? await approvals.listWaiting(tx, { caller, now }, page.window)
        : [];
      const { items, cursor } = page.close(rows, ({ requestId }) => [requestId]);
      return { requests: items, cursor };
    },

    getExpiring: ({ tx, caller, now }) => maintenance.listExpiring(tx, { caller, now }),

    getFailing: ({ tx, caller, now }) => maintenance.listFailing(tx, { caller, now }),

    decideException: async ({ path, body, tx, caller, now, answer }) => {
      if (!(await canIgnoreFindings(tx, caller))) throw TRIAGE_REFUSED();
      if (body.until && (body.until <= now || !body.isApproved))
        refuseFieldErrors(VALIDATION_FAILED, [
          {
            pointer: '#/until',
            code: 'INVALID',
            detail: 'must be in the future, and is allowed only with an approval',
          },
        ]);
      const batch = await approvals.decideRequest(tx, { caller, now }, { request: path.requestId, verdict: body });
      answer.recordEffect({ object: `exception/${path.requestId}`, before: { state: 'REQUESTED' }, after: body });
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
