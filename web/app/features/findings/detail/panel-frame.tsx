import { ActionIcon, FocusTrap, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { idLabel } from '#web/features/findings/model/finding-id.ts';
import { type FindingSort, type ListSearch, listSearch } from '#web/features/findings/model/search.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { closeOnEscape } from './close-on-escape.ts';
import './panel-frame.css';

const NARROW = '(max-width: 1199px)';

export interface PanelFrameProps {
  /** As lists know it, which says the kind too. */
  issueId: string;
  onClose: () => void;
  /** The filter that the finding was found by and its order, for the page of its own. */
  q?: string;
  sort?: FindingSort | undefined;
  /** It was there from the start, so the focus stays where it is. */
  isQuiet?: boolean;
}

interface Inside {
  menu?: ReactNode;
  children: ReactNode;
}

/** What stands beside a list: a region where there is room, over the page where there is none. */
export function PanelFrame(props: PanelFrameProps & Inside) {
  const { issueId, onClose, q, sort, isQuiet = false, menu, children } = props;
  const isOver = useMediaQuery(NARROW, matchMedia(NARROW).matches) === true;
  const panel = useFocusInside(isOver || !isQuiet);
  const attributes = isOver ? ({ role: 'dialog', 'aria-modal': true, 'data-keys': true } as const) : {};
  return (
    <FocusTrap active={isOver}>
      <section
        ref={panel}
        className="finding-panel"
        aria-label={`Finding ${idLabel(issueId)}`}
        tabIndex={-1}
        onKeyDown={closeOnEscape(onClose)}
        {...attributes}
      >
        <PanelBar issueId={issueId} onClose={onClose} list={q === undefined ? {} : listSearch(q, sort)}>
          {menu}
        </PanelBar>
        {children}
      </section>
    </FocusTrap>
  );
}

/** Takes the focus when it opens, and gives it back when it closes. */
function useFocusInside(isWanted: boolean) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    const before = document.activeElement;
    const own = panel.current;
    own?.focus({ preventScroll: true });
    return () => {
      const isInside = own?.contains(document.activeElement) || document.activeElement === document.body;
      if (isInside && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [isWanted]);
  return panel;
}

interface PanelBarProps {
  issueId: string;
  onClose: () => void;
  list: ListSearch;
  children: ReactNode;
}

function PanelBar({ issueId, onClose, list, children }: PanelBarProps) {
  const { slug } = useOrg();
  return (
    <div className="finding-bar no-print">
      <span className="finding-bar-id">
        <CopyText text={idLabel(issueId)} label="id" />
      </span>
      {children}
      <Tooltip label="Open as a page">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Open as a page"
          className="finding-bar-open"
          renderRoot={(props) => (
            <Link to="/o/$slug/findings/$issueId" params={{ slug, issueId }} search={list} {...props} />
          )}
        >
          <Maximize2 size={16} />
        </ActionIcon>
      </Tooltip>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Close" data-autofocus onClick={onClose}>
        <X size={18} />
      </ActionIcon>
    </div>
  );
}
