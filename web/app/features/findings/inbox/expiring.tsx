import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { openIgnoreForm } from '#web/features/findings/triage/ignore-form-store.ts';
import { REASON_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { AllDone } from './empty-inbox.tsx';
import { InboxRow } from './inbox-row.tsx';
import { type ExpiringDecision, expiringQuery } from './queries.ts';
import { ShowAsList } from './show-as-list.tsx';
import type { InboxCursor } from './use-inbox-cursor.ts';

/** What ends within 14 days: decisions to ignore, and tokens. */
export function Expiring({ chosen }: { chosen: InboxCursor }) {
  const org = useOrg();
  const { data, error, isPending, refetch } = useQuery(expiringQuery(org.id));
  if (isPending) return <LoadingRows rows={4} height={60} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  const { decisions, tokens } = data;
  if (decisions.length + tokens.length === 0)
    return <AllDone title="Nothing ends soon" why="No decision and no token ends within 14 days." />;
  return (
    <>
      {decisions.length > 0 && (
        <section aria-labelledby="inbox-decisions">
          <h2 id="inbox-decisions" className="inbox-heading">
            Decisions
          </h2>
          <ShowAsList of="EXPIRING" />
          <ul className="inbox-rows">
            {decisions.map((decision) => (
              <DecisionRow key={decision.issueId} decision={decision} chosen={chosen} />
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
                    ends <RelativeTime at={expiresAt} />: make a new one and put it in its place
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

function DecisionRow({ decision, chosen }: { decision: ExpiringDecision; chosen: InboxCursor }) {
  const { issueId, title, severity, projectName, reason, until } = decision;
  const renew = () => {
    chosen.choose(issueId);
    openIgnoreForm(issueId);
  };
  return (
    <InboxRow
      issueId={issueId}
      title={title}
      severity={severity}
      isChosen={chosen.id === issueId}
      onChoose={chosen.choose}
      facts={
        <>
          <span>{projectName}</span>
          <span>
            {REASON_LABELS[reason ?? ''] ?? 'Ignored'}, ends <RelativeTime at={until} />
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
              aria-label={`Still true: ${title}`}
              onClick={renew}
            >
              Still true?
            </Button>
          )}
        </PermissionGate>
      }
    />
  );
}
