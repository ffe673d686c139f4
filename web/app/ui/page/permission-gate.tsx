import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';

interface PermissionGateProps {
  permission: string;
  /** Renders the control. */
  children: (isDisabled: boolean) => ReactElement;
}

/** Disables a control and explains why if the user lacks the permission for it. */
export function PermissionGate({ permission, children }: PermissionGateProps) {
  const isAllowed = useOrg().may(permission);
  if (isAllowed) return children(false);
  return (
    <Tooltip label={`Requires the permission ${permission}. Ask an administrator.`}>
      <span className="not-allowed">{children(true)}</span>
    </Tooltip>
  );
}
