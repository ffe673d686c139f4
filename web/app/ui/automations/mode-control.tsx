import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { automationRuns } from '#web/foundation/api/services.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '../page/permission-gate.tsx';
import type { ModeOfAutomation } from './automation-queries.ts';

export const MODE_LABELS: Record<ModeOfAutomation, string> = { simulate: 'Simulate', live: 'Live', paused: 'Paused' };

const NEWS: Record<ModeOfAutomation, string> = {
  simulate: 'records what it would do; nothing is sent or decided.',
  live: 'is live.',
  paused: 'is paused; what had not been sent is cancelled.',
};

const MODES = ['simulate', 'live', 'paused'] as const;

interface ModeControlProps {
  automation: { id: string; name: string };
  mode: ModeOfAutomation;
  /** The words for the modes; policies have others. */
  labels?: Record<ModeOfAutomation, string>;
}

/** Shows the mode of an automation and changes it. */
export function ModeControl({ automation, mode, labels = MODE_LABELS }: ModeControlProps) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const setting = useMutation({
    mutationFn: (next: ModeOfAutomation) =>
      automationRuns.setAutomationMode({
        path: { deploymentId: org.id, automationId: automation.id },
        body: { mode: next },
      }),
    onSuccess: async (_, next) => {
      notify(`${automation.name} ${NEWS[next]}`);
      await queryClient.invalidateQueries({ queryKey: [org.id, 'automations'] });
    },
    onError: notifyProblem,
  });
  const shown = setting.isPending ? setting.variables : mode;
  return (
    <PermissionGate permission="automation:manage">
      {(isDisabled) => (
        <SegmentedControl
          size="xs"
          aria-label={`Mode of ${automation.name}`}
          data={MODES.map((value) => ({ value, label: labels[value] }))}
          value={shown}
          disabled={isDisabled || setting.isPending}
          onChange={(next) => setting.mutate(next as ModeOfAutomation)}
        />
      )}
    </PermissionGate>
  );
}
