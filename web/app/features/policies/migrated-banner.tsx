import '@mantine/core/styles/Alert.layer.css';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import { migrationQuery } from './queries.ts';

/** Whether the deployment uses Unified Policies, which makes ruleboards read-only. */
export function useIsMigrated(): boolean {
  return useQuery(migrationQuery(useOrg().id)).data ?? false;
}

/** Explains why the ruleboards are read-only. */
export function MigratedBanner() {
  if (!useIsMigrated()) return null;
  return (
    <Alert icon={<Info size={18} />} color="gray" variant="outline" title="This deployment uses Unified Policies">
      Its ruleboards became detection policies and are read-only here. Clients that still call the older operations get
      410 with the code <a href="/docs/errors#DEPLOYMENT_MIGRATED">DEPLOYMENT_MIGRATED</a>.
    </Alert>
  );
}
