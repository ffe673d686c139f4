import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { automationRuns } from '#web/foundation/api/services.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { ModeOfAutomation, StoredAutomation } from '#web/ui/automations/automation-queries.ts';
import { MatchingFindings } from '#web/ui/automations/matching-findings.tsx';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';

interface RunExistingProps {
  automation: StoredAutomation;
  mode: ModeOfAutomation;
}

const EFFECTS: Record<ModeOfAutomation, string> = {
  live: 'It acts on them now. All limits apply: what exceeds one is held, and you can release it.',
  simulate: 'It records what it would do; nothing is sent or decided.',
  paused: '',
};

/** Runs an automation on findings that exist already, after a preview. */
export function RunExisting({ automation, mode }: RunExistingProps) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const path = { deploymentId: org.id, automationId: automation.id };
  const [isOpen, setIsOpen] = useState(false);
  const preview = useQuery({
    queryKey: [org.id, 'automations', 'preview', automation.id, automation.updatedAt],
    queryFn: ({ signal }) => automationRuns.previewAutomationRun({ path }, { signal }),
    enabled: org.may('delivery:read'),
    retry: false,
    staleTime: 30_000,
  });
  const { data } = preview;
  const run = async () => {
    if (!data) return;
    const { snapshot, count } = data;
    try {
      const { matched } = await automationRuns.runAutomation({ path, body: { snapshot, count } });
      notify(`${automation.name} ran on ${formatNumber(Number(matched))} findings.`);
    } catch (problem) {
      // The dialog shows the new number together with the reason.
      if (asProblem(problem).body.code === 'PREVIEW_CHANGED') await preview.refetch();
      throw problem;
    }
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: [org.id, 'automations'] }),
      queryClient.invalidateQueries({ queryKey: deliveriesKey(org.id) }),
    ]);
  };
  return (
    <>
      <PermissionGate permission="automation:manage">
        {(isDisabled) => (
          <Button
            variant="default"
            size="xs"
            leftSection={<Play size={14} />}
            disabled={isDisabled || mode === 'paused' || !data || data.count === '0'}
            title={mode === 'paused' ? 'A paused automation does not run.' : undefined}
            onClick={() => setIsOpen(true)}
          >
            Run on existing{data ? ` (${formatNumber(Number(data.count))})` : ''}
          </Button>
        )}
      </PermissionGate>
      {preview.error && <ProblemView error={preview.error} onRetry={() => void preview.refetch()} />}
      {isOpen && data && (
        <ConfirmDialog
          title={`Run ${automation.name} on existing findings?`}
          actionLabel={`Run on ${formatNumber(Number(data.count))}`}
          isHarmless
          onConfirm={run}
          onClose={() => setIsOpen(false)}
        >
          <p>
            <MatchingFindings preview={data} />
          </p>
          <p>{EFFECTS[mode]}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
