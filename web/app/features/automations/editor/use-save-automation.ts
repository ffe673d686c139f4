import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { automationRuns, automations } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { automationsQuery, type ModeOfAutomation } from '#web/ui/automations/automation-queries.ts';
import { type AutomationDraft, automationBody } from './automation-draft.ts';

interface SaveOptions {
  draft: AutomationDraft;
  /** Absent for a new automation. */
  automationId: string | undefined;
  mode: ModeOfAutomation;
  /** The mode before; absent for a new automation. */
  storedMode: ModeOfAutomation | undefined;
  onDone: () => void;
}

/** Saves an automation. One that is to simulate is saved paused first, so that it never acts in between. */
export function useSaveAutomation({ draft, automationId, mode, storedMode, onDone }: SaveOptions) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const path = { deploymentId: org.id, ...(automationId === undefined ? {} : { automationId }) };
  const isSimulating = storedMode === 'simulate';
  const input = {
    path,
    body: automationBody({ ...draft, active: mode === 'live' || (mode === 'simulate' && isSimulating) }),
  };
  const send = () =>
    automationId === undefined
      ? automations.createAutomation(input as never)
      : automations.updateAutomation(input as never);
  const save = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      const { automation } = await send();
      if (mode !== 'paused' && (mode === 'simulate') !== isSimulating)
        await automationRuns.setAutomationMode({
          path: { deploymentId: org.id, automationId: automation.id },
          body: { mode },
        });
      await queryClient.invalidateQueries({ queryKey: automationsQuery(org.id).queryKey });
      notify(`${draft.name} saved.`);
      onDone();
    } catch (problem) {
      setError(problem);
      setIsBusy(false);
    }
  };
  const operation = `AutomationsService_${automationId === undefined ? 'Create' : 'Update'}Automation`;
  return { save, error, isBusy, input, operation };
}
