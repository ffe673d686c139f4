import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';

interface RowActionProps {
  permission: string;
  label: string;
  icon: ReactElement;
  onClick: () => void;
}

/** An icon button for a table row, disabled without the permission. */
export function RowAction({ permission, label, icon, onClick }: RowActionProps) {
  return (
    <PermissionGate permission={permission}>
      {(isDisabled) => (
        <Tooltip label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isDisabled} onClick={onClick}>
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
    </PermissionGate>
  );
}
