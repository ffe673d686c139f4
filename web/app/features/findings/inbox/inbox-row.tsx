import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { StateChip } from '#web/ui/badges/finding-chips.tsx';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { usePendingDecision } from '../model/pending-decisions.ts';

const route = getRouteApi('/o/$slug/inbox');

interface InboxRowProps {
  issueId: string;
  title: string;
  severity: string;
  isChosen: boolean;
  onChoose: (issueId: string) => void;
  /** The second line of the row. */
  facts: ReactNode;
  /** Buttons at the end of the first line. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A row of the inbox; a click anywhere in it opens the finding. */
export function InboxRow({ issueId, title, severity, isChosen, onChoose, facts, actions, children }: InboxRowProps) {
  const { slug } = useOrg();
  const { tab } = route.useSearch();
  const decided = usePendingDecision(issueId);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li ref={row} className="inbox-row" data-chosen={isChosen}>
      <div className="inbox-row-line">
        <Link
          className="inbox-row-title"
          to="/o/$slug/inbox"
          params={{ slug }}
          search={tab === undefined ? { at: issueId } : { tab, at: issueId }}
          aria-current={isChosen ? 'true' : undefined}
          activeProps={{}}
          resetScroll={false}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onChoose(issueId);
          }}
        >
          {title}
        </Link>
        {decided && decided.kind !== 'refused' && decided.decision.state !== undefined && (
          <StateChip state={decided.decision.state} />
        )}
        {actions !== undefined && <div className="inbox-row-actions">{actions}</div>}
      </div>
      <p className="inbox-row-facts">
        <SeverityChip severity={severityOf(severity)} />
        {facts}
      </p>
      {children}
    </li>
  );
}
