import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import type { ActivityOfAutomation, StoredAutomation } from '#web/ui/automations/automation-queries.ts';
import { type AutomationNames, describeAutomation } from '#web/ui/automations/describe-automation.ts';
import { ModeControl } from '#web/ui/automations/mode-control.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { AutomationActivityLine } from './automation-activity.tsx';
import { useDeleteAutomation } from './use-delete-automation.ts';

interface AutomationRowProps {
  automation: StoredAutomation;
  activity: ActivityOfAutomation | undefined;
  names: AutomationNames;
  onOpen: () => void;
}

/** One automation in the list, with its description, its activity and controls. */
export function AutomationRow({ automation, activity, names, onOpen }: AutomationRowProps) {
  const { slug } = useOrg();
  const { name, description } = automation;
  const remove = useDeleteAutomation(automation);
  return (
    <li className="automation" data-mode={activity?.mode}>
      <div className="automation-text">
        <h2>
          <Link to="/o/$slug/automations/$automationId" params={{ slug, automationId: automation.id }}>
            {name}
          </Link>
        </h2>
        <p>{describeAutomation(automation, names)}</p>
        {description !== '' && <p className="dimmed">{description}</p>}
        {activity ? <AutomationActivityLine activity={activity} /> : <Skeleton height={24} width="60%" />}
      </div>
      <div className="automation-controls">
        {activity && <ModeControl automation={automation} mode={activity.mode} />}
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
