import type { MovedDecision } from './move-source.ts';
import { problemOf } from './move-target.ts';
import type { ProjectMove } from './project-move.ts';
import type { ReportSpool } from './report-spool.ts';

const PAGE_SIZE = 1000;
const MAX_BATCH = 500;
const MAX_PENDING = 5000;

interface Known {
  /** Several findings can have one key, such as one for each address. */
  ids: string[];
  /** Nobody decided on it or wrote a note here. */
  isUntouched: boolean;
}

/**
 * Applies decisions as a person would. A decision in the report itself would end with the next scan, which does not
 * contain it. Findings that were decided on here are left as they are.
 */
export async function applyDecisions(move: ProjectMove, spool: ReportSpool): Promise<void> {
  if (spool.decisionCount === 0) return;
  const known = await listKnown(move);
  const batches = new DecisionBatches(move);
  for await (const { key, decision } of spool.decisions()) {
    const finding = known.get(key);
    if (!finding) move.tally.leave('decisions on findings that are one finding with another one here');
    else if (!finding.isUntouched) move.tally.leave('decisions on findings that have one here already');
    else await batches.add(decision, finding.ids);
  }
  await batches.flush();
}

async function listKnown({ target, project }: ProjectMove): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  let cursor = '';
  do {
    const { body } = await target.call(`the list of findings of ${project.name}`, ({ issues }) =>
      issues.listIssues({
        path: { deploymentId: target.deployment.id },
        body: {
          limit: PAGE_SIZE,
          cursor,
          filter: { repositoryNames: [project.name], ...(project.ref !== undefined && { refs: [project.ref] }) },
        },
      }),
    );
    for (const { issue } of body.issues) {
      const isUntouched = issue.triageState === 'FINDING_TRIAGE_STATE_UNTRIAGED' && issue.note === '';
      const entry = known.get(issue.matchBasedId);
      if (entry) entry.ids.push(issue.issueParentId);
      else known.set(issue.matchBasedId, { ids: [issue.issueParentId], isUntouched });
    }
    cursor = body.cursor ?? '';
  } while (cursor !== '');
  return known;
}

/** Sends equal decisions together; holds back few of them, because each can have a long note. */
class DecisionBatches {
  readonly #move: ProjectMove;
  readonly #batches = new Map<string, { decision: MovedDecision; ids: string[]; count: number }>();
  #pending = 0;

  constructor(move: ProjectMove) {
    this.#move = move;
  }

  async add(decision: MovedDecision, ids: readonly string[]): Promise<void> {
    const key = JSON.stringify([decision.state, decision.reason, decision.note, decision.until]);
    const batch = this.#batches.get(key) ?? { decision, ids: [], count: 0 };
    this.#batches.set(key, batch);
    batch.ids.push(...ids);
    batch.count++;
    this.#pending++;
    if (this.#pending >= MAX_PENDING) await this.flush();
  }

  async flush(): Promise<void> {
    for (const { decision, ids, count } of this.#batches.values()) await this.#send(decision, ids, count);
    this.#batches.clear();
    this.#pending = 0;
  }

  async #send({ state, reason, note, until }: MovedDecision, ids: readonly string[], count: number): Promise<void> {
    const { target, tally } = this.#move;
    for (let at = 0; at < ids.length; at += MAX_BATCH) {
      const reply = await target.try(({ bulk }) =>
        bulk.bulkUpdateIssues({
          path: { deploymentId: target.deployment.id },
          body: {
            filter: { issueParentIds: ids.slice(at, at + MAX_BATCH) },
            params: {
              ...(state !== undefined && { triageState: `FINDING_TRIAGE_STATE_${state}` }),
              ...(reason !== undefined && { triageReason: `FINDING_TRIAGE_REASON_${reason}` }),
              ...(note !== undefined && { note }),
              ...(until !== undefined && { until }),
            },
          },
        }),
      );
      if (reply.status !== 200) {
        tally.fail(`decisions: ${problemOf(reply)}`, count);
        return;
      }
      tally.leave('decisions that need an approval here; it is requested', reply.body.numExceptionsRequested);
    }
    tally.carry('decisions and notes', count);
  }
}
