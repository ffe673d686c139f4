import { ActionIcon, FocusTrap, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type ListSearch, listSearch, type Sort } from '#web/findings/search.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyText } from '#web/parts/copy-text.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { ActivitySection } from './activity-section.tsx';
import { closeOnEscape } from './close-on-escape.ts';
import { CodeSection } from './code-section.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { MatchesSection, OthersSection, RefsSection } from './evidence-sections.tsx';
import { FindingChips, WhatIsWrong } from './finding-head.tsx';
import { FixSection } from './fix-section.tsx';
import { FlowSection } from './flow-section.tsx';
import './panel.css';
import { type Issue, issueQuery } from './queries.ts';
import { HeadingLevel } from './section.tsx';
import { TriageBox } from './triage-box.tsx';
import { useIssue } from './use-issue.ts';
import { WhyHere } from './why-here.tsx';

const NARROW = '(max-width: 1199px)';

interface FindingPanelProps {
  issueId: string;
  onClose: () => void;
  /** The filter that the finding was found by and its order, for the page of its own. */
  q?: string;
  sort?: Sort | undefined;
  /** It was there from the start, so the focus stays where it is. */
  isQuiet?: boolean;
}

/** A finding beside its list: a region where there is room, over the page where there is none. */
export function FindingPanel({ issueId, onClose, q, sort, isQuiet = false }: FindingPanelProps) {
  const isOver = useMediaQuery(NARROW, matchMedia(NARROW).matches) === true;
  const panel = useFocusInside(isOver || !isQuiet);
  const attributes = isOver ? ({ role: 'dialog', 'aria-modal': true, 'data-keys': true } as const) : {};
  return (
    <FocusTrap active={isOver}>
      <section
        ref={panel}
        className="finding-panel"
        aria-label={`Finding ISS-${issueId}`}
        tabIndex={-1}
        onKeyDown={closeOnEscape(onClose)}
        {...attributes}
      >
        <PanelBar issueId={issueId} onClose={onClose} list={q === undefined ? {} : listSearch(q, sort)} />
        <HeadingLevel value={3}>
          <PanelBody key={issueId} issueId={issueId} />
        </HeadingLevel>
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
}

function PanelBar({ issueId, onClose, list }: PanelBarProps) {
  const org = useOrg();
  const { data } = useQuery(issueQuery(org.id, issueId));
  return (
    <div className="finding-bar no-print">
      <span className="finding-bar-id">
        <CopyText text={`ISS-${issueId}`} label="id" />
      </span>
      {data && <CopyMenu issue={data} size="compact-sm" />}
      <Tooltip label="Open as a page">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Open as a page"
          className="finding-bar-open"
          renderRoot={(props) => (
            <Link to="/o/$slug/findings/$issueId" params={{ slug: org.slug, issueId }} search={list} {...props} />
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

function PanelBody({ issueId }: { issueId: string }) {
  const { data, error, refetch } = useIssue(issueId);
  if (data) return <PanelContent issue={data} />;
  if (error) return <ProblemView error={error} onRetry={() => void refetch()} />;
  return <LoadingRows rows={10} />;
}

function PanelContent({ issue }: { issue: Issue }) {
  const [step, setStep] = useState<string>();
  return (
    <>
      <h2 className="finding-title">{issue.ruleDisplayName}</h2>
      <FindingChips issue={issue} />
      <WhatIsWrong issue={issue} />
      <TriageBox issue={issue} />
      <WhyHere issue={issue} />
      <CodeSection issue={issue} />
      <FlowSection issue={issue} step={step} onStep={setStep} />
      <FixSection issue={issue} />
      <OthersSection issue={issue} />
      <RefsSection issue={issue} />
      <ActivitySection issue={issue} />
      <MatchesSection issue={issue} />
    </>
  );
}
