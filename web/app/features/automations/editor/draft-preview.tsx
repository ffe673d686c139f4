import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { automationRuns } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { AutomationNames } from '#web/ui/automations/describe-automation.ts';
import { MatchExplanation } from '#web/ui/automations/match-explanation.tsx';
import { MatchingFindings } from '#web/ui/automations/matching-findings.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { type AutomationDraft, automationBody, isTriable } from './automation-draft.ts';
import { FindingIdForm } from './finding-id-form.tsx';

const TYPING_MS = 400;

const requestOf = (draft: AutomationDraft) => {
  const { filters, triggerSource } = automationBody(draft).automation;
  return { filters, triggerSource } as never;
};

/** What conditions match that are not saved yet: a live count, and a try on one finding. */
export function DraftPreview({ draft, names }: { draft: AutomationDraft; names: AutomationNames }) {
  const org = useOrg();
  const path = { deploymentId: org.id };
  const [settled] = useDebouncedValue(draft, TYPING_MS);
  const request = requestOf(settled);
  const isEnabled = isTriable(settled);
  const preview = useQuery({
    queryKey: [org.id, 'automations', 'try', request],
    queryFn: ({ signal }) => automationRuns.tryAutomation({ path, body: request }, { signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 30_000,
  });
  const trying = useMutation({
    mutationFn: (findingId: string) =>
      automationRuns.tryAutomation({ path, body: { ...(requestOf(draft) as object), findingId } as never }),
  });
  return (
    <section className="automation-preview" aria-label="Preview">
      <p role="status" aria-busy={isEnabled && preview.isPending}>
        {!isEnabled && 'Give each condition a value to see what it matches.'}
        {isEnabled && preview.isPending && 'Counting…'}
        {isEnabled && preview.data && <MatchingFindings preview={preview.data} />}
      </p>
      {isEnabled && preview.error && <ProblemView error={preview.error} />}
      <p className="dimmed">Existing findings start nothing; you can run it on them afterwards.</p>
      <FindingIdForm isBusy={trying.isPending} onSubmit={(findingId) => trying.mutate(findingId)} />
      {trying.error && <ProblemView error={trying.error} />}
      {trying.data?.explanation && <MatchExplanation explanation={trying.data.explanation} names={names} />}
    </section>
  );
}
