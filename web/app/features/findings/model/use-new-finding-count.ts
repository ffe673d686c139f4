import { useCallback, useState } from 'react';
import { useLiveEventListener } from '#web/foundation/events/live-events.ts';
import type { LiveEvent } from '#web/foundation/events/parse-events.ts';

/** Counts the findings that scans opened or reopened since the list was loaded. */
export function useNewFindingCount(): { count: number; clear: () => void } {
  const [count, setCount] = useState(0);
  const listen = useCallback(({ type, data }: LiveEvent) => {
    if (type !== 'scan.completed') return;
    const added = Number(data['opened'] ?? 0) + Number(data['reopened'] ?? 0);
    if (added > 0) setCount((before) => before + added);
  }, []);
  useLiveEventListener(listen);
  return { count, clear: useCallback(() => setCount(0), []) };
}
