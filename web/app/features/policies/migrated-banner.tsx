import '@mantine/core/styles/Alert.layer.css';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import { migrationQuery } from './queries.ts';

/** Whether boards can be changed here: not on the Unified Policies model. */
export function useIsMigrated(): boolean {
  return useQuery(migrationQuery(useOrg().id)).data ?? false;
}

/** Says why boards are read-only, where they are. */
export function MigratedBanner() {
  if (!useIsMigrated()) return null;
  return (
    <Alert icon={<Info size={18} />} color="gray" variant="outline" title="This deployment uses Unified Policies">
      Its ruleboards became detection policies and can only be read here. Programs that still call the older operations
      are answered with 410 and the code <a href="/docs/errors#DEPLOYMENT_MIGRATED">DEPLOYMENT_MIGRATED</a>.
    </Alert>
  );
}
