import { ArrowUp } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLiveEventListener } from '#web/foundation/events/live-events.ts';
import type { LiveEvent } from '#web/foundation/events/parse-events.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';

/** What scans brought since the list was asked for. */
export function useNewFindingCount(): { count: number; clear: () => void } {
  const [count, setCount] = useState(0);
  const listen = useCallback(({ type, data }: LiveEvent) => {
    if (type !== 'scan.completed') return;
    const fresh = Number(data['opened'] ?? 0) + Number(data['reopened'] ?? 0);
    if (fresh > 0) setCount((before) => before + fresh);
  }, []);
  useLiveEventListener(listen);
  return { count, clear: useCallback(() => setCount(0), []) };
}

/** New findings wait here: the list never moves below the cursor. */
export function NewFindingsButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className="findings-news no-print" role="status">
      {count > 0 && (
        <button type="button" onClick={onShow}>
          <ArrowUp size={14} aria-hidden="true" /> {formatNumber(count)} new
        </button>
      )}
    </div>
  );
}
