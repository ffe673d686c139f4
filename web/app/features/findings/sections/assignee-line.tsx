import { Button, Tooltip } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { NOBODY } from '../model/decision.ts';
import { pendingAssignee, usePendingDecision } from '../model/pending-decisions.ts';
import type { Issue } from '../model/queries.ts';
import { openAssignDialog, ownAssignee } from '../triage/assign-store.ts';
import { useDecide } from '../triage/use-decide.ts';

/** Who deals with the finding, and buttons to change it. */
export function AssigneeLine({ issue }: { issue: Issue }) {
  const decide = useDecide(issue.id);
  const { id, name } =
    pendingAssignee(usePendingDecision(issue.id), issue.loadedAtRevision) ?? issue.assignee ?? NOBODY;
  const me = ownAssignee();
  return (
    <p className="finding-assignee">
      <UserRound size={16} aria-hidden="true" />
      <span>{id === '' ? 'Assigned to nobody' : `Assigned to ${id === me.id ? `you (${name})` : name}`}</span>
      <PermissionGate permission="issue:triage">
        {(isDisabled) => (
          <span className="finding-assignee-steps no-print">
            {id !== me.id && (
              <Tooltip label={<Keycaps name="assignToMe" />} disabled={isDisabled}>
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={isDisabled}
                  onClick={() => decide({ assignee: me })}
                >
                  Assign to me
                </Button>
              </Tooltip>
            )}
            <Tooltip label={<Keycaps name="assign" />} disabled={isDisabled}>
              <Button
                size="compact-sm"
                variant="default"
                disabled={isDisabled}
                onClick={() => openAssignDialog((assignee) => decide({ assignee }))}
              >
                Assign…
              </Button>
            </Tooltip>
          </span>
        )}
      </PermissionGate>
    </p>
  );
}
