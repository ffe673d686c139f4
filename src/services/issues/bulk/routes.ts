import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { SEVERITY_NAMES, triageReasonOf, triageStateOf } from '#domain/findings/shape.ts';
import { findAssignee } from '#domain/findings/triage/assignee.ts';
import {
  type BulkPreview,
  endBulkTriage,
  findBulkTriage,
  previewBulk,
  startBulkTriage,
} from '#domain/findings/triage/bulk-triage.ts';
import { requireTriageAccess, type TriageDecision, triageFindings } from '#domain/findings/triage/triage.ts';
import { undoTriageBatch } from '#domain/findings/triage/undo-batch.ts';
import { startTask } from '#domain/tasks/task-runner.ts';
import { unsupportedFieldsOf } from '#domain/workflow-issues/rules.ts';
import { countChangedIssues, undoIssueDecisions } from '#domain/workflow-issues/undo-decisions.ts';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Call, OperationHandlers } from '#kernel/http/pipeline/group.ts';
import { isDecisionBatchVisible } from '../all-findings/merged-list.ts';
import { findingFilterOf, hasCriteria } from '../list/filter-mapping.ts';
import { countRefsOf } from '../list/store.ts';
import { type AllFindingsPreview, previewAllFindings } from './all-findings-preview.ts';
import type * as contract from './contract.ts';
import { bulkFiltersByKind, bulkUpdateTask } from './jobs.ts';

type Update = Call<typeof contract.bulkUpdateIssues>['body'];

/** Refuses invalid decisions and updates that select all issues. */
function checkTriageUpdate(body: Pick<Update, 'filter' | 'q' | 'params'>): void {
  const { triageState, triageReason, note, until, assignee } = body.params;
  const errors: FieldError[] = [];
  const state = triageState && triageStateOf(triageState);
  const add = (pointer: string, code: string, detail: string) => errors.push({ pointer, code, detail });
  if (!hasCriteria(body)) add('#/filter', 'REQUIRED', 'must have at least one condition');
  if (triageState && !state) add('#/params/triageState', 'INVALID', 'cannot be set');
  if ((triageState ?? note ?? until ?? assignee) === undefined)
    add('#/params/triageState', 'REQUIRED', 'is required without a note or an assignee');
  if (triageReason && state !== 'ignored')
    add('#/params/triageReason', 'INVALID', 'is allowed only for ignored issues');
  if (triageReason && !triageReasonOf(triageReason)) add('#/params/triageReason', 'INVALID', 'cannot be set');
  refuseFieldErrors(VALIDATION_FAILED, errors);
}

type UpdateCall = Pick<Call, 'tx' | 'caller' | 'now'> & { body: Pick<Update, 'filter'> };

/** Refuses ids that do not exist or that the caller may not see; both give the same error. */
async function refuseUnknownIssues({ tx, caller, now, body }: UpdateCall) {
  const errors: FieldError[] = [];
  for (const member of ['ids', 'issueParentIds'] as const) {
    const ids = body.filter?.[member] ?? [];
    const unknown = await unknownFindingIds(tx, { caller, now }, ids);
    for (const [index, id] of ids.entries())
      if (unknown.has(id))
        errors.push({
          pointer: `#/filter/${member}/${index}`,
          code: 'UNKNOWN_REFERENCE',
          detail: 'is not an issue of this deployment',
        });
  }
  refuseFieldErrors(VALIDATION_FAILED, errors);
}

type DecisionCall = Pick<Call, 'tx' | 'caller'> & { body: { params: Update['params'] } };

/** Maps the request to a triage decision of the domain. */
async function triageDecisionOf({ tx, caller, body }: DecisionCall): Promise<TriageDecision> {
  const { triageState, triageReason, note, until } = body.params;
  const named = body.params.assignee;
  const assignee = named === undefined ? undefined : await findAssignee(tx, caller, named);
  if (named !== undefined && assignee === undefined)
    refuseFieldErrors(VALIDATION_FAILED, [
      { pointer: '#/params/assignee', code: 'UNKNOWN_REFERENCE', detail: 'is not an active member' },
    ]);
  const state = triageState && triageStateOf(triageState);
  const reason = triageReason && triageReasonOf(triageReason);
  return {
    ...(state && { state }),
    ...(reason && { reason }),
    ...(note !== undefined && { note }),
    ...(until && { until }),
    ...(assignee !== undefined && { assignee }),
  };
}

type StartRequest = Call<typeof contract.startBulkUpdate>['body'];

/** The selection of a bulk update, as stored for its task. */
function selectionOf({ issueType, issueTypes = [], filter = {}, q = '', includeWorkflows = false }: StartRequest) {
  const types = issueTypes.length === 0 && issueType !== undefined ? [issueType] : issueTypes;
  return { issueTypes: types, filter, q, includeWorkflows };
}

const KIND_NAMES = { issue: 'FINDING_KIND_ISSUE', workflow: 'FINDING_KIND_WORKFLOW_ISSUE' } as const;

/** The reply of a dry run. Members about workflow issues are present only with `includeWorkflows`. */
function previewReply({ count, projects, worst, ...more }: BulkPreview | AllFindingsPreview) {
  const workflowCounts = 'workflows' in more ? { workflowCount: more.workflows, elsewhereCount: more.elsewhere } : {};
  const worstIssues = worst.map((issue) => ({
    issueId: issue.id as Id<'Finding'>,
    title: issue.title,
    severity: SEVERITY_NAMES[issue.severity] ?? 'SEVERITY_INFO',
    ...('kind' in issue && { kind: KIND_NAMES[issue.kind] }),
  }));
  return { count, ...workflowCounts, projects, worst: worstIssues };
}

/** Handlers of bulk triage: in one request, or in rounds as a task. */
export const bulkHandlers: OperationHandlers<typeof contract> = {
  bulkUpdateIssues: async ({ body, tx, caller, now, answer }) => {
    checkTriageUpdate(body);
    await refuseUnknownIssues({ tx, caller, now, body });
    const { snapshot } = body;
    const decision = await triageDecisionOf({ tx, caller, body });
    const result = await triageFindings(
      tx,
      { caller, now },
      { filter: findingFilterOf(body, now), decision, ...(snapshot !== undefined && { snapshot }) },
    );
    answer.recordEffect({ object: `batch/${result.batch ?? '0'}`, after: { ...decision, findings: result.findings } });
    return {
      issueParentCount: result.findings.length,
      issueCount: await countRefsOf(tx, result.findings),
      updatedCount: result.changed,
      numIgnored: decision.state === 'ignored' ? result.changed : 0,
      numExceptionsRequested: result.requested,
      numSkipped: result.skipped,
      ...(result.batch !== undefined && { batchId: result.batch as Id<'FindingBatch'> }),
    };
  },

  startBulkUpdate: async ({ body, tx, caller, now, services, answer }) => {
    checkTriageUpdate(body);
    await refuseUnknownIssues({ tx, caller, now, body });
    const context = { caller, now };
    const { snapshot } = body;
    const requested = await triageDecisionOf({ tx, caller, body });
    const selection = selectionOf(body);
    const { filter, q, includeWorkflows } = selection;
    const permission = await requireTriageAccess(tx, context);
    const filters = bulkFiltersByKind(selection, requested, now);
    const preview = includeWorkflows
      ? await previewAllFindings(tx, context, { filters, snapshot })
      : await previewBulk(tx, context, { filter: findingFilterOf(body, now), snapshot });
    const unsupported = includeWorkflows ? { notKeptByWorkflows: unsupportedFieldsOf(requested) } : {};
    if (body.dryRun === true) {
      answer.status = 200;
      return { ...previewReply(preview), ...unsupported, snapshot };
    }
    const { until, ...decision } = requested;
    const { count } = preview;
    const areWorkflowsMeant = filters.workflow !== undefined;
    const batch = await startBulkTriage(tx, context, { total: count, note: decision.note, areWorkflowsMeant });
    const { kind, credential, userId, name, email, seesEverything, deployment } = caller;
    const input = {
      ...{ ...selection, batch, snapshot, permission, asOf: now.toISOString() },
      decision: { ...decision, ...(until && { until: until.toISOString() }) },
      caller: { kind: kind === 'token' ? kind : 'user', credential, userId, name, email, seesEverything },
    } as const;
    const taskTokenJwt = await startTask(tx, services.keys, { kind: bulkUpdateTask, caller, deployment, input, now });
    const after = { ...input.decision, q, filter, count, ...(includeWorkflows && { includeWorkflows }) };
    answer.recordEffect({ object: `batch/${batch}`, after });
    return { taskTokenJwt, batchId: batch as Id<'FindingBatch'>, ...unsupported };
  },

  getBatch: async ({ path, tx, caller }) => {
    const found = await findBulkTriage(tx, caller.deployment, path.batchId);
    if (!found) throw NOT_FOUND();
    const { state, skipped, at, ended_at: endedAt, actor } = found;
    const workflowIssues = found.is_of_rounds ? 0 : await countChangedIssues(tx, caller.deployment, path.batchId);
    const [total, done] = [found.total + workflowIssues, found.done + workflowIssues];
    return {
      batchId: path.batchId,
      state: ({ running: 'RUNNING', done: 'DONE', failed: 'FAILED' } as const)[state],
      ...{ total, done, skipped, startedAt: new Date(at), by: actor },
      ...(endedAt !== undefined && { endedAt: new Date(endedAt) }),
    };
  },

  undoBatch: async ({ path, tx, caller, now, answer }) => {
    const context = { caller, now };
    // End the batch first, so that no further round begins. Undoing a large batch needs a longer timeout.
    const runsInRounds = await endBulkTriage(tx, { deployment: caller.deployment, batch: path.batchId, at: now });
    if (runsInRounds) await tx.run`select set_config('statement_timeout', '5min', true)`;
    const hasChangedNothing = runsInRounds && !(await isDecisionBatchVisible(tx, context, path.batchId));
    const nothing = { batch: undefined, undone: 0, skipped: 0 };
    const { batch, undone, skipped } = hasChangedNothing
      ? nothing
      : await undoTriageBatch(tx, context, path.batchId, (opened) =>
          undoIssueDecisions(tx, context, path.batchId, opened),
        );
    answer.recordEffect({ object: `batch/${path.batchId}`, after: { batch, undone, skipped } });
    return { ...(batch !== undefined && { batchId: batch as Id<'FindingBatch'> }), undone, skipped };
  },
};
