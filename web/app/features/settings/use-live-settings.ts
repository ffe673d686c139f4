import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLiveEventListener } from '#web/foundation/events/live-events.ts';
import type { LiveEvent } from '#web/foundation/events/parse-events.ts';
import { useOrg } from '#web/foundation/session/org.ts';

/** The list that shows each kind of object; forms detect concurrent changes themselves. */
const LISTS: Record<string, string> = {
  'ci-trust': 'ci-trusts',
  invitation: 'people',
  membership: 'people',
  'partner-credential': 'partner',
  'sso-provider': 'sso',
  team: 'teams',
  token: 'tokens',
};

/** Refetches a list when another user changed one of its objects. */
export function useLiveSettings(): void {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  useLiveEventListener(
    useCallback(
      ({ type, data }: LiveEvent) => {
        const list = type === 'deployment.changed' ? LISTS[String(data['what'])] : undefined;
        if (list !== undefined) void queryClient.invalidateQueries({ queryKey: [id, 'settings', list] });
      },
      [id, queryClient],
    ),
  );
}
