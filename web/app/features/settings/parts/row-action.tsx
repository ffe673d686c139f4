import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';

interface RowDeedProps {
  permission: string;
  label: string;
  icon: ReactElement;
  onClick: () => void;
}

/** Something that is done with the row of a table, by those who may. */
export function RowAction({ permission, label, icon, onClick }: RowDeedProps) {
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
