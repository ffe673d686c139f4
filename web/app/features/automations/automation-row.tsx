import { Button, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { automations } from '#web/foundation/api/services.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { AutomationActivityLine } from './automation-activity.tsx';
import { automationBody, draftFromAutomation } from './automation-draft.ts';
import { describeAutomation } from './describe-automation.ts';
import { type ActivityOfAutomation, automationsQuery, type StoredAutomation } from './queries.ts';

interface AutomationRowProps {
  automation: StoredAutomation;
  activity: ActivityOfAutomation | undefined;
  nameOf: (projectId: string) => string;
  onOpen: () => void;
}

/** One automation in the list, with its description and controls. */
export function AutomationRow({ automation, activity, nameOf, onOpen }: AutomationRowProps) {
  const { active, name, description, updatedAt, updatedBy } = automation;
  const { pause, remove } = useChanges(automation);
  return (
    <li className="automation" data-paused={!active || undefined}>
      <div className="automation-text">
        <h2>{name}</h2>
        <p>{describeAutomation(automation, nameOf)}</p>
        {description !== '' && <p className="dimmed">{description}</p>}
        <p className="dimmed automation-facts">
          <AutomationActivityLine isActive={active} activity={activity} /> · changed <RelativeTime at={updatedAt} />
          {updatedBy !== '' && ` by ${updatedBy}`}
        </p>
      </div>
      <div className="automation-controls">
        <PermissionGate permission="automation:manage">
          {(isDisabled) => (
            <Switch
              aria-label={`${name} is active`}
              label="Active"
              checked={active}
              disabled={isDisabled || pause.isPending}
              onChange={() => pause.mutate()}
            />
          )}
        </PermissionGate>
        <PermissionGate permission="automation:manage">
          {(isDisabled) => (
            <Button
              variant="default"
              size="compact-sm"
              disabled={isDisabled}
              aria-label={`Edit ${name}`}
              onClick={onOpen}
            >
              Edit
            </Button>
          )}
        </PermissionGate>
        <PermissionGate permission="automation:manage">
          {(isDisabled) => (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              leftSection={<Trash2 size={14} />}
              disabled={isDisabled}
              loading={remove.isPending}
              aria-label={`Delete ${name}`}
              onClick={() => remove.mutate()}
            >
              Delete
            </Button>
          )}
        </PermissionGate>
      </div>
    </li>
  );
}

function useChanges(automation: StoredAutomation) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const path = { deploymentId: org.id, automationId: automation.id };
  const refetch = () => queryClient.invalidateQueries({ queryKey: automationsQuery(org.id).queryKey });
  const pause = useMutation({
    mutationFn: async () => {
      // The update replaces the whole automation, so it starts from the current version, not from cached data.
      const now = (await queryClient.fetchQuery({ ...automationsQuery(org.id), staleTime: 0 })).find(
        ({ id }) => id === automation.id,
      );
      if (!now) throw new Error(`${automation.name} no longer exists; it may have been deleted.`);
      const body = automationBody({ ...draftFromAutomation(now), active: !automation.active });
      return automations.updateAutomation({ path, body: body as never });
    },
    onSuccess: async () => {
      notify(`${automation.name} is ${automation.active ? 'paused' : 'active'}.`);
      await refetch();
    },
    onError: notifyProblem,
  });
  const remove = useMutation({
    mutationFn: () => automations.deleteAutomation({ path }),
    onSuccess: async () => {
      notifyWithUndo(`Deleted ${automation.name}. It can be restored for 30 days.`, async () => {
        await automations.restoreAutomation({ path: { deploymentId: org.id, deletedAutomationId: automation.id } });
        await refetch();
      });
      await refetch();
    },
    onError: notifyProblem,
  });
  return { pause, remove };
}
