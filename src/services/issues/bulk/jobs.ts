import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { TRIAGE_REASONS, TRIAGE_STATES } from '#domain/findings/shape.ts';
import {
  type BulkPosition,
  type BulkTriageRound,
  endBulkTriage,
  runBulkRound,
} from '#domain/findings/triage/bulk-triage.ts';
import type { TriageAccess, TriageDecision } from '#domain/findings/triage/triage.ts';
import * as tasks from '#domain/tasks/store.ts';
import { taskKind } from '#domain/tasks/task-runner.ts';
import { decideNextIssues } from '#domain/workflow-issues/bulk-decisions.ts';
import { workflowTriageOf } from '#domain/workflow-issues/rules.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueue } from '#kernel/jobs/job.ts';
import { type FiltersByKind, filtersByKind } from '../all-findings/merged-list.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import { IssueFilter } from '../list/filter-shape.ts';

type Names<Table> = [keyof Table & string, ...(keyof Table & string)[]];

/** The task of a bulk update: its selection, its decision and its caller. */
export const bulkUpdateTask = taskKind('findings.decide', {
  batch: z.string(),
  issueTypes: z.array(z.string()),
  filter: IssueFilter,
  q: z.string(),
  includeWorkflows: z.boolean().default(false),
  snapshot: z.string(),
  decision: z.object({
    state: z.enum(Object.keys(TRIAGE_STATES) as Names<typeof TRIAGE_STATES>).optional(),
    reason: z.enum(Object.keys(TRIAGE_REASONS) as Names<typeof TRIAGE_REASONS>).optional(),
    note: z.string().optional(),
    until: z.string().optional(),
    assignee: z.string().nullable().optional(),
  }),
  permission: z.string(),
  caller: z.object({
    kind: z.enum(['user', 'token']),
    credential: z.string().default(''),
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    seesEverything: z.boolean(),
  }),
  asOf: z.string(),
});

type Input = z.output<typeof bulkUpdateTask.job.payload>['input'];

const decisionOf = ({ state, reason, note, until, assignee }: Input['decision']): TriageDecision => ({
  ...(state && { state }),
  ...(reason && { reason }),
  ...(note !== undefined && { note }),
  ...(until !== undefined && { until: new Date(until) }),
  ...(assignee !== undefined && { assignee }),
});

type Selection = Pick<Input, 'issueTypes' | 'filter' | 'q' | 'includeWorkflows'>;

/** The filters of a bulk update. Workflow issues are included only if requested and if they can store the decision. */
export function bulkFiltersByKind(
  { issueTypes, filter, q, includeWorkflows }: Selection,
  decision: TriageDecision,
  now: Date,
): FiltersByKind {
  const query = { issueTypes, filter, ...(q !== '' && { q }) };
  if (!includeWorkflows) return { issue: findingFilterOf(query, now) };
  const { issue, workflow } = filtersByKind(query, now);
  return { ...(issue && { issue }), ...(workflow && workflowTriageOf(decision) && { workflow }) };
}

/** Relative times in the filter refer to the time of the request; the decision is made now. */
function roundOf(
  tx: Tx,
  context: CallerContext,
  { batch, snapshot, permission, asOf, ...input }: Input,
): BulkTriageRound {
  const decision = decisionOf(input.decision);
  const { issue, workflow } = bulkFiltersByKind(input, decision, new Date(asOf));
  const triage = workflowTriageOf(decision);
  const others =
    workflow && triage
      ? (position: BulkPosition) =>
          decideNextIssues(tx, context, { batch, snapshot, filter: workflow, decision: triage }, position)
      : undefined;
  return { batch, snapshot, filter: issue, decision, permission: permission as TriageAccess, decideOthers: others };
}

/**
 * Updates issues in rounds. A round completes its own job and enqueues the next one in the same transaction, so that
 * the work resumes after any failure and no issue is updated twice.
 */
export const bulkUpdateHandler = (clock: () => Date = () => new Date()): JobHandler =>
  jobHandler(bulkUpdateTask.job, async ({ payload, deployment, attempt, signal, transact }) => {
    const { task, input } = payload;
    const place = { deployment, task };
    const caller = { ...anonymousCaller, ...input.caller, deployment };
    try {
      await transact(async (tx) => {
        const context = { caller, now: clock() };
        if (await runBulkRound(tx, context, roundOf(tx, context, input)))
          await enqueue(tx, bulkUpdateTask.job, { deployment, payload });
        else {
          await tasks.insertChunk(tx, place, {
            number: 0,
            bytes: Buffer.from(JSON.stringify({ batchId: input.batch })),
          });
          await tasks.complete(tx, place, { name: 'batch.json', contentType: 'application/json; charset=utf-8' });
        }
      });
    } catch (error) {
      if (attempt < bulkUpdateTask.job.maxAttempts || signal.aborted) throw error;
      await transact(async (tx) => {
        await endBulkTriage(tx, { deployment, batch: input.batch, at: clock() });
        await tasks.fail(tx, place, 'A round failed repeatedly; the changes so far can be undone.');
      });
      throw error;
    }
  });
