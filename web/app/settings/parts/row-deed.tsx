import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { Allowed } from '#web/parts/allowed.tsx';

interface RowDeedProps {
  permission: string;
  label: string;
  icon: ReactElement;
  onClick: () => void;
}

/** Something that is done with the row of a table, by those who may. */
export function RowDeed({ permission, label, icon, onClick }: RowDeedProps) {
  return (
    <Allowed permission={permission}>
      {(isDisabled) => (
        <Tooltip label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isDisabled} onClick={onClick}>
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
    </Allowed>
  );
}
