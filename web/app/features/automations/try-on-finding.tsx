import { useMutation } from '@tanstack/react-query';
import { automationRuns } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { AutomationNames } from '#web/ui/automations/describe-automation.ts';
import { MatchExplanation } from '#web/ui/automations/match-explanation.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { FindingIdForm } from './editor/finding-id-form.tsx';

interface TryOnFindingProps {
  automation: { id: string };
  names: AutomationNames;
}

/** Explains why a stored automation fires for a finding, or does not. */
export function TryOnFinding({ automation, names }: TryOnFindingProps) {
  const { id: deploymentId } = useOrg();
  const asking = useMutation({
    mutationFn: (findingId: string) =>
      automationRuns.explainAutomation({ path: { deploymentId, automationId: automation.id, findingId } }),
  });
  return (
    <>
      <FindingIdForm isBusy={asking.isPending} onSubmit={(findingId) => asking.mutate(findingId)} />
      {asking.error && <ProblemView error={asking.error} />}
      {asking.data && <MatchExplanation explanation={asking.data} names={names} />}
    </>
  );
}
