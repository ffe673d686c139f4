import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LiveEvent } from '#web/api/take-events.ts';
import { useOrg } from '#web/org/org.ts';
import { useEvents } from '#web/shell/live.ts';

/** The list that shows each kind of thing; forms that are being filled in have guards of their own. */
const LISTS: Record<string, string> = {
  invitation: 'people',
  membership: 'people',
  'partner-credential': 'partner',
  'sso-provider': 'sso',
  team: 'teams',
  token: 'tokens',
};

/** Asks again for a list when somebody changed what it shows. */
export function useLiveSettings(): void {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  useEvents(
    useCallback(
      ({ type, data }: LiveEvent) => {
        const list = type === 'deployment.changed' ? LISTS[String(data['what'])] : undefined;
        if (list !== undefined) void queryClient.invalidateQueries({ queryKey: [id, 'settings', list] });
      },
      [id, queryClient],
    ),
  );
}
