import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLiveEventListener } from '#web/foundation/events/live-events.ts';
import type { LiveEvent } from '#web/foundation/events/parse-events.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { clearDone } from './done-ids.ts';
import { reviewQuery } from './queries.ts';

interface Fresh {
  /** How many came since the list was asked for. */
  count: number;
  show: () => void;
}

const countIn = ({ type, data }: LiveEvent): number =>
  type === 'scan.completed' ? Number(data['opened'] ?? 0) + Number(data['reopened'] ?? 0) : 0;

/** What scans find while the list is open waits until it is asked for, so that nothing moves under the cursor. */
export function useNewFindings(): Fresh {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  const [count, setCount] = useState(0);
  useLiveEventListener(useCallback((event: LiveEvent) => setCount((before) => before + countIn(event)), []));
  return {
    count,
    show: () => {
      setCount(0);
      clearDone();
      void queryClient.resetQueries({ queryKey: reviewQuery(id).queryKey });
    },
  };
}
