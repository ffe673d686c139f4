import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { numberText } from '#web/parts/number-text.ts';
import { SeverityBar } from '#web/parts/severity.tsx';
import { When } from '#web/parts/when.tsx';
import { CELL, LineBox } from './boxes.tsx';
import { type LineProps, lineAttributes } from './grid-row.tsx';
import type { FindingGroup } from './queries.ts';
import { useLine } from './use-list.ts';

interface GroupRowProps extends LineProps {
  id: string;
  group: FindingGroup;
  isOpen: boolean;
  href: string;
  onToggle: (key: string) => void;
  /** Shows the findings of the group as a list of their own. */
  onFollow: (q: string) => void;
}

/** A group: what its findings share, how many there are and how bad they are; opens to show them. */
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { id, group, isOpen, list, href, onToggle, onFollow } = props;
  const { isActive } = useLine(list, id);
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
      <div {...CELL} className="findings-cell findings-group-label">
        <Arrow size={16} aria-hidden="true" />
        <span title={group.label}>{group.label}</span>
      </div>
      <div {...CELL} className="findings-cell findings-group-when dimmed">
        <When at={group.newestAt} />
      </div>
      <div {...CELL} className="findings-cell">
        <SeverityBar counts={group.severities} />
      </div>
      <div {...CELL} className="findings-cell findings-group-count">
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
          {numberText(group.count)}
        </a>
      </div>
    </LineBox>
  );
});
