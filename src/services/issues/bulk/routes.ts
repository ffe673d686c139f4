import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { SEVERITY_NAMES, triageReasonOf, triageStateOf } from '#domain/findings/shape.ts';
import { type BulkPreview, findBulkTriage, previewBulk, startBulkTriage } from '#domain/findings/triage/bulk-triage.ts';
import { requireTriageAccess } from '#domain/findings/triage/triage.ts';
import { startTask } from '#domain/tasks/task-runner.ts';
import { unsupportedFieldsOf } from '#domain/workflow-issues/rules.ts';
import { countChangedIssues } from '#domain/workflow-issues/undo-decisions.ts';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Call, OperationHandlers } from '#kernel/http/pipeline/group.ts';
import { EXPORT_COLUMNS, type ExportColumn } from '../export/shape.ts';
import type * as contract from '../list/contract.ts';
import { findingFilterOf, hasCriteria } from '../list/filter-mapping.ts';
import { type AllFindingsPreview, previewAllFindings } from './all-findings-preview.ts';
import type * as bulk from './contract.ts';
import { bulkFiltersByKind, bulkUpdateTask } from './jobs.ts';

type Exported = Pick<Call<typeof contract.exportIssues>['body'], 'format' | 'columns'>;

/** The columns that an export shall have, if others than all. */
export function exportColumnsOf({ format = 'EXPORT_FORMAT_CSV', columns }: Exported): ExportColumn[] | undefined {
  if (columns && format !== 'EXPORT_FORMAT_CSV')
    refuse([{ pointer: '#/columns', code: 'INVALID', detail: 'belongs to comma-separated values only' }]);
  const isKnown = (column: string): column is ExportColumn => (EXPORT_COLUMNS as readonly string[]).includes(column);
  const detail = `must be one of ${EXPORT_COLUMNS.join(', ')}`;
  refuse(
    (columns ?? []).flatMap((column, index) =>
      isKnown(column) ? [] : [{ pointer: `#/columns/${index}`, code: 'INVALID', detail }],
    ),
  );
  return columns?.filter(isKnown);
}

type Update = Call<typeof contract.bulkUpdateIssues>['body'];

/** Refuses what cannot be decided, or about everything. */
export function checkTriageUpdate(body: Pick<Update, 'filter' | 'q' | 'params'>): void {
  const { triageState, triageReason, note, until } = body.params;
  const errors: FieldError[] = [];
  const state = triageState && triageStateOf(triageState);
  const add = (pointer: string, code: string, detail: string) => errors.push({ pointer, code, detail });
  if (!hasCriteria(body)) add('#/filter', 'REQUIRED', 'must name issues');
  if (triageState && !state) add('#/params/triageState', 'INVALID', 'cannot be set');
  if ((triageState ?? note ?? until) === undefined)
    add('#/params/triageState', 'REQUIRED', 'is required where there is no note');
  if (triageReason && state !== 'ignored') add('#/params/triageReason', 'INVALID', 'belongs to ignored issues only');
  if (triageReason && !triageReasonOf(triageReason)) add('#/params/triageReason', 'INVALID', 'cannot be set');
  refuse(errors);
}

function refuse(errors: FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  throw VALIDATION_FAILED({ count, first: `${first.pointer} ${first.detail}` }, { errors });
}

type Asked = Pick<Call, 'tx' | 'caller' | 'now'> & { body: Pick<Update, 'filter'> };

/** Refuses ids of issues that the caller may not see, which are the same as those that are not there. */
export async function refuseUnknownIssues({ tx, caller, now, body }: Asked) {
  const errors: FieldError[] = [];
  for (const member of ['ids', 'issueParentIds'] as const) {
    const ids = body.filter?.[member] ?? [];
    const unknown = await unknownFindingIds(tx, { caller, now }, ids);
    for (const [index, id] of ids.entries())
      if (unknown.has(id))
        errors.push({
          pointer: `#/filter/${member}/${index}`,
          code: 'UNKNOWN_REFERENCE',
          detail: 'is no issue of this deployment',
        });
  }
  refuse(errors);
}

/** What is decided, in the words of the domain. */
export function triageDecisionOf({ triageState, triageReason, note, until }: Update['params']) {
  const state = triageState && triageStateOf(triageState);
  const reason = triageReason && triageReasonOf(triageReason);
  return {
    ...(state && { state }),
    ...(reason && { reason }),
    ...(note !== undefined && { note }),
    ...(until && { until }),
  };
}

type Start = Call<typeof bulk.startBulkUpdate>['body'];

/** What a bulk update is about, as it is asked and as its task asks it again. */
function questionOf({ issueType, issueTypes = [], filter = {}, q = '', includeWorkflows = false }: Start) {
  const types = issueTypes.length === 0 && issueType !== undefined ? [issueType] : issueTypes;
  return { issueTypes: types, filter, q, includeWorkflows };
}

const KINDS = { issue: 'FINDING_KIND_ISSUE', workflow: 'FINDING_KIND_WORKFLOW_ISSUE' } as const;

/** What is told before anything is changed; of both kinds only where that was asked for. */
function previewReply({ count, projects, worst, ...more }: BulkPreview | AllFindingsPreview) {
  const ofBoth = 'workflows' in more ? { workflowCount: more.workflows, elsewhereCount: more.elsewhere } : {};
  const shown = worst.map((one) => ({
    issueId: one.id as Id<'Finding'>,
    title: one.title,
    severity: SEVERITY_NAMES[one.severity] ?? 'SEVERITY_INFO',
    ...('kind' in one && { kind: KINDS[one.kind] }),
  }));
  return { count, ...ofBoth, projects, worst: shown };
}

/** Triage in rounds, for what is too much for one request. */
export const bulkHandlers: OperationHandlers<typeof bulk> = {
  startBulkUpdate: async ({ body, tx, caller, now, services, answer }) => {
    checkTriageUpdate(body);
    await refuseUnknownIssues({ tx, caller, now, body });
    const asking = { caller, now };
    const { snapshot } = body;
    const decided = triageDecisionOf(body.params);
    const question = questionOf(body);
    const { filter, q, includeWorkflows } = question;
    const permission = await requireTriageAccess(tx, asking);
    const filters = bulkFiltersByKind(question, decided, now);
    const preview = includeWorkflows
      ? await previewAllFindings(tx, asking, { filters, snapshot })
      : await previewBulk(tx, asking, { filter: findingFilterOf(body, now), snapshot });
    const lost = includeWorkflows ? { notKeptByWorkflows: unsupportedFieldsOf(decided) } : {};
    if (body.dryRun === true) {
      answer.status = 200;
      return { ...previewReply(preview), ...lost, snapshot };
    }
    const { until, ...decision } = decided;
    const { count } = preview;
    const areWorkflowsMeant = filters.workflow !== undefined;
    const batch = await startBulkTriage(tx, asking, { total: count, note: decision.note, areWorkflowsMeant });
    const { kind, credential, userId, name, email, seesEverything, deployment } = caller;
    const input = {
      ...{ ...question, batch, snapshot, permission, asOf: now.toISOString() },
      decision: { ...decision, ...(until && { until: until.toISOString() }) },
      caller: { kind: kind === 'token' ? kind : 'user', credential, userId, name, email, seesEverything },
    } as const;
    const taskTokenJwt = await startTask(tx, services.keys, { kind: bulkUpdateTask, caller, deployment, input, now });
    const meant = includeWorkflows ? { includeWorkflows } : {};
    answer.recordEffect({ object: `batch/${batch}`, after: { ...input.decision, q, filter, count, ...meant } });
    return { taskTokenJwt, batchId: batch as Id<'FindingBatch'>, ...lost };
  },

  getBatch: async ({ path, tx, caller }) => {
    const found = await findBulkTriage(tx, caller.deployment, path.batchId);
    if (!found) throw NOT_FOUND();
    const { state, skipped, at, ended_at: endedAt, actor } = found;
    const more = found.is_of_rounds ? 0 : await countChangedIssues(tx, caller.deployment, path.batchId);
    const [total, done] = [found.total + more, found.done + more];
    return {
      batchId: path.batchId,
      state: ({ running: 'RUNNING', done: 'DONE', failed: 'FAILED' } as const)[state],
      ...{ total, done, skipped, startedAt: new Date(at), by: actor },
      ...(endedAt !== undefined && { endedAt: new Date(endedAt) }),
    };
  },
};
