import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { REASON_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { openIgnoreForm } from '../triage/ignore-form-store.ts';
import { AllDone } from './empty-inbox.tsx';
import { InboxRow } from './inbox-row.tsx';
import { type ExpiringDecision, expiringQuery } from './queries.ts';
import { ShowAsList } from './show-as-list.tsx';
import type { InboxCursor } from './use-inbox-cursor.ts';

/** Decisions and tokens that expire within 14 days. */
export function Expiring({ cursor }: { cursor: InboxCursor }) {
  const org = useOrg();
  const { data, error, isPending, refetch } = useQuery(expiringQuery(org.id));
  if (isPending) return <LoadingRows rows={4} height={60} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  const { decisions, tokens } = data;
  if (decisions.length + tokens.length === 0)
    return <AllDone title="Nothing expires soon" why="No decision or token expires within 14 days." />;
  return (
    <>
      {decisions.length > 0 && (
        <section aria-labelledby="inbox-decisions">
          <h2 id="inbox-decisions" className="inbox-heading">
            Decisions
          </h2>
          <ShowAsList tabName="EXPIRING" />
          <ul className="inbox-rows">
            {decisions.map((decision) => (
              <DecisionRow key={decision.issueId} decision={decision} cursor={cursor} />
            ))}
          </ul>
        </section>
      )}
      {tokens.length > 0 && (
        <section aria-labelledby="inbox-tokens">
          <h2 id="inbox-tokens" className="inbox-heading">
            Tokens
          </h2>
          <ul className="inbox-rows">
            {tokens.map(({ id, name, expiresAt }) => (
              <li key={id} className="inbox-row">
                <div className="inbox-row-line">
                  <Link
                    className="inbox-row-title"
                    to="/o/$slug/settings/{-$section}/{-$item}"
                    params={{ slug: org.slug, section: 'tokens' }}
                  >
                    {name}
                  </Link>
                </div>
                <p className="inbox-row-facts">
                  <span>
                    expires <RelativeTime at={expiresAt} />: create a new one and replace it
                  </span>
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function DecisionRow({ decision, cursor }: { decision: ExpiringDecision; cursor: InboxCursor }) {
  const { issueId, title, severity, projectName, reason, until } = decision;
  const renew = () => {
    cursor.choose(issueId);
    openIgnoreForm(issueId);
  };
  return (
    <InboxRow
      issueId={issueId}
      title={title}
      severity={severity}
      isChosen={cursor.id === issueId}
      onChoose={cursor.choose}
      facts={
        <>
          <span>{projectName}</span>
          <span>
            {REASON_LABELS[reason ?? ''] ?? 'Ignored'}, expires <RelativeTime at={until} />
          </span>
        </>
      }
      actions={
        <PermissionGate permission="issue:triage">
          {(isDisabled) => (
            <Button
              size="compact-xs"
              variant="default"
              disabled={isDisabled}
              aria-label={`Renew: ${title}`}
              onClick={renew}
            >
              Renew…
            </Button>
          )}
        </PermissionGate>
      }
    />
  );
}
