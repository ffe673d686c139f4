import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';

interface AllowedProps {
  permission: string;
  /** The control; it is handed whether it is disabled. */
  children: (isDisabled: boolean) => ReactElement;
}

/** A control that needs a permission: without it, it is there, cannot be used, and says why. */
export function PermissionGate({ permission, children }: AllowedProps) {
  const isAllowed = useOrg().may(permission);
  if (isAllowed) return children(false);
  return (
    <Tooltip label={`Needs the permission ${permission}: ask an administrator.`}>
      <span className="not-allowed">{children(true)}</span>
    </Tooltip>
  );
}
