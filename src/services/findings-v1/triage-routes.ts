import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { combineFilters, filterOfText } from '#domain/findings/filter/query-filter.ts';
import type { TriageState } from '#domain/findings/shape.ts';
import { triageFindings } from '#domain/findings/triage/triage.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as store from './store.ts';
import * as contract from './triage-contract.ts';
import { findingFilterOfV1 } from './v1-filter-mapping.ts';
import { hasV1Filter, parseSince } from './v1-request.ts';

type Body = Call<typeof contract.bulkTriage>['body'];

const DECISION_MEMBERS = ['new_triage_state', 'new_triage_reason', 'new_note', 'limit', 'issue_type'];

function checkRequest(body: Body): void {
  const { new_triage_state: state, new_triage_reason: reason, new_note: note } = body;
  const errors: FieldError[] = [];
  if (state === undefined && note === undefined)
    errors.push({ pointer: '#/new_triage_state', code: 'REQUIRED', detail: 'is required without new_note' });
  if (reason !== undefined && state !== 'ignored')
    errors.push({
      pointer: '#/new_triage_reason',
      code: 'INVALID',
      detail: 'is allowed only with new_triage_state ignored',
    });
  if (!hasV1Filter(body, DECISION_MEMBERS))
    errors.push({ pointer: '#/issue_ids', code: 'REQUIRED', detail: 'is required without a filter' });
  refuseFieldErrors(VALIDATION_FAILED, errors);
}

const stateOf = (state: NonNullable<Body['new_triage_state']>): TriageState => (state === 'open' ? 'reopened' : state);

/** TriageService of v1: bulk triage. */
export const v1Triage = group('TriageService', contract, {
  bulkTriage: async ({ body, tx, caller, now, answer }) => {
    checkRequest(body);
    const { issue_ids: ids = [], new_triage_state: state, new_triage_reason: reason, new_note: note, since, q } = body;
    const context = { caller, now };
    const unknown = await unknownFindingIds(tx, context, ids);
    refuseFieldErrors(
      VALIDATION_FAILED,
      ids.flatMap((id, index) =>
        unknown.has(id)
          ? [
              {
                pointer: `#/issue_ids/${index}`,
                code: 'UNKNOWN_REFERENCE',
                detail: 'is not a finding of this deployment',
              },
            ]
          : [],
      ),
    );
    const fromMembers = {
      ...findingFilterOfV1(body, [body.issue_type]),
      ...(ids.length > 0 && { ids }),
      ...(since !== undefined && since !== '' && { relevantSince: [{ from: parseSince(since) }] }),
      isAnywhere: true,
    };
    const decision = {
      ...(state && { state: stateOf(state) }),
      ...(reason && { reason }),
      ...(note !== undefined && { note }),
    };
    const filter = q === undefined ? fromMembers : combineFilters(fromMembers, filterOfText(q, now, '#/q'));
    const { findings, batch } = await triageFindings(tx, context, { filter, decision, limit: body.limit });
    answer.recordEffect({ object: `batch/${batch ?? '0'}`, after: { ...decision, findings } });
    const shownIds = await store.shownIdsOf(tx, findings, ids);
    return { num_triaged: shownIds.length, triaged_issues: shownIds as Id<'Finding'>[] };
  },
});
