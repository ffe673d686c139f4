import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { SeverityBar } from '#web/ui/badges/severity.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import type { FindingGroup } from '../model/list-queries.ts';
import { GRID_CELL, LineBox } from './grid-roles.tsx';
import { type GridLineProps, lineAttributes } from './grid-row.tsx';
import { useLineState } from './use-selection.ts';

interface GroupRowProps extends GridLineProps {
  id: string;
  group: FindingGroup;
  isOpen: boolean;
  href: string;
  onToggle: (key: string) => void;
  /** Shows the findings of the group as a list. */
  onFollow: (q: string) => void;
}

/** A group with its label, count and severities; it expands to show its findings. */
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { id, group, isOpen, list, href, onToggle, onFollow } = props;
  const { isActive } = useLineState(list, id);
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <LineBox
      {...lineAttributes(props)}
      id={`finding-${id}`}
      className="findings-line findings-group"
      aria-level={1}
      aria-expanded={isOpen}
      data-active={isActive}
      onClick={() => {
        list.activate(id);
        onToggle(group.key);
      }}
    >
      <div {...GRID_CELL} className="findings-cell findings-group-label">
        <Arrow size={16} aria-hidden="true" />
        <span title={group.label}>{group.label}</span>
      </div>
      <div {...GRID_CELL} className="findings-cell findings-group-when dimmed">
        <RelativeTime at={group.newestAt} />
      </div>
      <div {...GRID_CELL} className="findings-cell">
        <SeverityBar counts={group.severities} />
      </div>
      <div {...GRID_CELL} className="findings-cell findings-group-count">
        <a
          href={href}
          title={group.q}
          onClick={(event) => {
            event.stopPropagation();
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onFollow(group.q);
          }}
        >
          {formatNumber(group.count)}
        </a>
      </div>
    </LineBox>
  );
});
