import { ArrowUp } from 'lucide-react';
import { formatNumber } from '#web/foundation/format/format-number.ts';

/** Offers to load new findings; the list never changes under the cursor by itself. */
export function NewFindingsButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className="findings-new no-print" role="status">
      {count > 0 && (
        <button type="button" onClick={onShow}>
          <ArrowUp size={14} aria-hidden="true" /> {formatNumber(count)} new
        </button>
      )}
    </div>
  );
}
