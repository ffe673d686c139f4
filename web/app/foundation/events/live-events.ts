import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { streamEvents } from '#web/foundation/events/event-stream.ts';
import type { LiveEvent } from '#web/foundation/events/parse-events.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { throttle } from './throttle.ts';

const REFRESH_MS = 2000;

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/** Calls the listener for every event of the organization while the component is mounted. */
export function useLiveEventListener(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}

/** Streams the events of the organization. Counts are refetched here; lists decide for themselves. */
export function useLiveEventStream(): void {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const counts = throttle(REFRESH_MS, () => {
      // A hidden tab refetches when it becomes visible again.
      const refetchType = document.hidden ? 'none' : 'active';
      void queryClient.invalidateQueries({ queryKey: [id, 'counts'], refetchType }, { cancelRefetch: false });
    });
    void streamEvents(id, stop.signal, {
      onEvent: (event) => {
        for (const listener of listeners) listener(event);
        counts.call();
      },
      onReconnect: counts.call,
    });
    return () => {
      stop.abort();
      counts.stop();
    };
  }, [id, queryClient]);
}
