import { z } from 'zod';
import { type BulkRound, bulkRound, endBulk, type Position } from '#domain/findings/bulk.ts';
import type { Asking } from '#domain/findings/filter.ts';
import { TRIAGE_REASONS, TRIAGE_STATES } from '#domain/findings/shape.ts';
import type { Decision, Permission } from '#domain/findings/triage.ts';
import { taskKind } from '#domain/tasks/running.ts';
import * as tasks from '#domain/tasks/store.ts';
import { decideNext } from '#domain/workflow-issues/bulk.ts';
import { triageBy } from '#domain/workflow-issues/rules.ts';
import { nobody } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Handler, handler } from '#kernel/jobs/handler.ts';
import { enqueue } from '#kernel/jobs/job.ts';
import { IssueFilter } from './filter-shape.ts';
import { type Filters, filtersOf } from './mixed.ts';
import { filterOf } from './wanted.ts';

type Names<Table> = [keyof Table & string, ...(keyof Table & string)[]];

/** What a bulk update has to know: the question, the decision, and as who it is asked. */
export const bulkUpdate = taskKind('findings.decide', {
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

type Input = z.output<typeof bulkUpdate.job.payload>['input'];

const decisionOf = ({ state, reason, note, until }: Input['decision']): Decision => ({
  ...(state && { state }),
  ...(reason && { reason }),
  ...(note !== undefined && { note }),
  ...(until !== undefined && { until: new Date(until) }),
});

type Question = Pick<Input, 'issueTypes' | 'filter' | 'q' | 'includeWorkflows'>;

/** What a decision is asked of; of what workflows found only where that is wanted, and keeps something of it. */
export function bulkFiltersOf(
  { issueTypes, filter, q, includeWorkflows }: Question,
  decision: Decision,
  now: Date,
): Filters {
  const asked = { issueTypes, filter, ...(q !== '' && { q }) };
  if (!includeWorkflows) return { issue: filterOf(asked, now) };
  const { issue, workflow } = filtersOf(asked, now);
  return { ...(issue && { issue }), ...(workflow && triageBy(decision) && { workflow }) };
}

/** The question is that of the moment at which it was asked; what is decided is decided now. */
function roundOf(tx: Tx, asking: Asking, { batch, snapshot, permission, asOf, ...input }: Input): BulkRound {
  const decision = decisionOf(input.decision);
  const { issue, workflow } = bulkFiltersOf(input, decision, new Date(asOf));
  const triage = triageBy(decision);
  const others =
    workflow && triage
      ? (position: Position) =>
          decideNext(tx, asking, { batch, snapshot, filter: workflow, decision: triage }, position)
      : undefined;
  return { batch, snapshot, filter: issue, decision, permission: permission as Permission, others };
}

/**
 * Decides round by round. A round ends its own job and puts the next one into the queue in one transaction, so that
 * after any end the work goes on where it was, and nothing is decided twice.
 */
export const bulkUpdater = (clock: () => Date = () => new Date()): Handler =>
  handler(bulkUpdate.job, async ({ payload, deployment, attempt, signal, transact }) => {
    const { task, input } = payload;
    const place = { deployment, task };
    const caller = { ...nobody, ...input.caller, deployment };
    try {
      await transact(async (tx) => {
        const asking = { caller, now: clock() };
        if (await bulkRound(tx, asking, roundOf(tx, asking, input)))
          await enqueue(tx, bulkUpdate.job, { deployment, payload });
        else {
          await tasks.addPiece(tx, place, { number: 0, bytes: Buffer.from(JSON.stringify({ batchId: input.batch })) });
          await tasks.complete(tx, place, { name: 'batch.json', contentType: 'application/json; charset=utf-8' });
        }
      });
    } catch (error) {
      if (attempt < bulkUpdate.job.maxAttempts || signal.aborted) throw error;
      await transact(async (tx) => {
        await endBulk(tx, { deployment, batch: input.batch, at: clock() });
        await tasks.fail(tx, place, 'A round failed again and again; what was decided until then can be undone.');
      });
      throw error;
    }
  });
