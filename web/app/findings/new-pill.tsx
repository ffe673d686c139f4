import { ArrowUp } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { LiveEvent } from '#web/api/take-events.ts';
import { numberText } from '#web/parts/number-text.ts';
import { useEvents } from '#web/shell/live.ts';

/** What scans brought since the list was asked for. */
export function useNews(): { count: number; clear: () => void } {
  const [count, setCount] = useState(0);
  const listen = useCallback(({ type, data }: LiveEvent) => {
    if (type !== 'scan.completed') return;
    const fresh = Number(data['opened'] ?? 0) + Number(data['reopened'] ?? 0);
    if (fresh > 0) setCount((before) => before + fresh);
  }, []);
  useEvents(listen);
  return { count, clear: useCallback(() => setCount(0), []) };
}

/** New findings wait here: the list never moves below the cursor. */
export function NewPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className="findings-news no-print" role="status">
      {count > 0 && (
        <button type="button" onClick={onShow}>
          <ArrowUp size={14} aria-hidden="true" /> {numberText(count)} new
        </button>
      )}
    </div>
  );
}
