import { useQueryClient } from '@tanstack/react-query';
import { asProblem } from '#web/api/problem.ts';
import { publicIssues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { sayProblem } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import { begin, forget, keep, refuse } from '../decided.ts';
import { type Decision, decisionLabel } from '../decision.ts';
import { issueIdOf } from './row.ts';

const STATES = {
  open: 'TRIAGE_STATE_OPEN',
  reopened: 'TRIAGE_STATE_REOPENED',
  reviewing: 'TRIAGE_STATE_REVIEWING',
  fixing: 'TRIAGE_STATE_FIXING',
  provisional: 'TRIAGE_STATE_PROVISIONALLY_IGNORED',
  ignored: 'TRIAGE_STATE_IGNORED',
} as const;

const REASONS = {
  false_positive: 'TRIAGE_REASON_FALSE_POSITIVE',
  acceptable_risk: 'TRIAGE_REASON_ACCEPTABLE_RISK',
  no_time: 'TRIAGE_REASON_NO_TIME',
  duplicate: undefined,
} as const;

type Body = Pick<Parameters<typeof publicIssues.triageIssue>[0]['body'], 'triageState' | 'triageReason'>;

const bodyOf = ({ state, reason }: Decision): Body => {
  const triageReason = reason === undefined || state !== 'ignored' ? undefined : REASONS[reason];
  return { triageState: STATES[state], ...(triageReason !== undefined && { triageReason }) };
};

/** Decides about what Agentic Workflows found, one after the other; undo puts each back to what it was. */
export function useWorkflowTriage() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const refresh = (name: string) => queryClient.invalidateQueries({ queryKey: [deploymentId, name] });
  const decide = (issueId: string, body: Body) => publicIssues.triageIssue({ path: { deploymentId, issueId }, body });

  return async (lineIds: readonly string[], decision: Decision): Promise<void> => {
    if (lineIds.length === 0) return;
    const turn = begin(lineIds, decision);
    const before: { id: string; body: Body }[] = [];
    const done: string[] = [];
    try {
      for (const lineId of lineIds) {
        const issueId = issueIdOf(lineId);
        const { data } = await publicIssues.getIssue({ path: { deploymentId, issueId } });
        before.push({
          id: issueId,
          body: { triageState: data.triageState, ...(data.triageReason && { triageReason: data.triageReason }) },
        });
        await decide(issueId, bodyOf(decision));
        done.push(lineId);
      }
    } catch (error) {
      const rest = lineIds.filter((id) => !done.includes(id));
      refuse(rest, turn, asProblem(error).body);
      sayProblem(error);
    }
    keep(done, turn);
    await Promise.all([refresh('counts'), refresh('workflow-issue')]);
    if (done.length === 0) return;
    const what = done.length === 1 ? 'One finding' : `${done.length} findings`;
    sayWithUndo(`${what}: ${decisionLabel(decision)}`, async () => {
      for (const { id, body } of before.slice(0, done.length)) await decide(id, body);
      forget(done);
      await Promise.all([refresh('counts'), refresh('workflow-issue'), refresh('workflow-issues')]);
    });
  };
}
