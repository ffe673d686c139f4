import { ActionIcon, FocusTrap, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { idLabel } from '../model/finding-id.ts';
import { type FindingSort, type ListSearch, listSearch } from '../model/search.ts';
import { closeOnEscape } from './close-on-escape.ts';
import './panel-frame.css';

const NARROW = '(max-width: 1199px)';

export interface PanelFrameProps {
  /** As in lists: `12` for a finding, `WF-12` for a workflow issue. */
  issueId: string;
  onClose: () => void;
  /** The filter and order of the list, passed on to the finding's page. */
  q?: string;
  sort?: FindingSort | undefined;
  /** The panel was open when the page loaded, so it does not take the focus. */
  keepsFocus?: boolean;
}

interface PanelContent {
  menu?: ReactNode;
  children: ReactNode;
}

/** The frame of a panel: a region beside the list, or a modal dialog on narrow screens. */
export function PanelFrame(props: PanelFrameProps & PanelContent) {
  const { issueId, onClose, q, sort, keepsFocus = false, menu, children } = props;
  const isModal = useMediaQuery(NARROW, matchMedia(NARROW).matches) === true;
  const panel = usePanelFocus(isModal || !keepsFocus);
  const attributes = isModal ? ({ role: 'dialog', 'aria-modal': true, 'data-keys': true } as const) : {};
  return (
    <FocusTrap active={isModal}>
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

/** Takes the focus on opening and restores it on closing. */
function usePanelFocus(isEnabled: boolean) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const before = document.activeElement;
    const element = panel.current;
    element?.focus({ preventScroll: true });
    return () => {
      const isInside = element?.contains(document.activeElement) || document.activeElement === document.body;
      if (isInside && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [isEnabled]);
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
