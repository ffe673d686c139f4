import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { StateChip } from '#web/ui/badges/finding-chips.tsx';
import { findingStateOf } from '#web/ui/badges/finding-state.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { type Evidence, evidenceQuery, type Issue } from '../model/queries.ts';
import { FindingSection } from './finding-section.tsx';

interface WithEvidenceProps {
  title: string;
  issue: Issue;
  children: (evidence: Evidence) => ReactNode;
}

/** A section that loads the evidence and shows its own error. */
function WithEvidence({ title, issue, children }: WithEvidenceProps) {
  const org = useOrg();
  const { data, error, isPending, refetch } = useQuery(evidenceQuery(org.id, issue.id));
  return (
    <FindingSection title={title}>
      {isPending && <LoadingRows rows={2} height={32} />}
      {error && !data && <ProblemView error={error} onRetry={() => void refetch()} />}
      {data && children(data)}
    </FindingSection>
  );
}

/** How findings of the same rule were triaged; each count links to its list. */
export function SameRuleSection({ issue }: { issue: Issue }) {
  return (
    <WithEvidence title="Other findings of this rule" issue={issue}>
      {({ sameRule: { open, fixed, ignored, falsePositive, q } }) => (
        <p className="finding-others">
          <FindingsLink q={q}>All findings of this rule</FindingsLink>:{' '}
          <FindingsLink q={`${q} is:open`}>{open} open</FindingsLink>,{' '}
          <FindingsLink q={`${q} is:fixed`}>{fixed} fixed</FindingsLink>,{' '}
          <FindingsLink q={`${q} is:ignored`}>{ignored} ignored</FindingsLink>, of those{' '}
          <FindingsLink q={`${q} is:ignored reason:false-positive`}>{falsePositive} as false positive</FindingsLink>.
        </p>
      )}
    </WithEvidence>
  );
}

/** The branches and pull requests that have or had the finding. */
export function RefsSection({ issue }: { issue: Issue }) {
  return (
    <WithEvidence title="Where it was seen" issue={issue}>
      {({ refs }) => (
        <section className="finding-scroll" aria-label="Refs" tabIndex={0}>
          <table className="finding-table">
            <thead>
              <tr>
                <th scope="col">Ref</th>
                <th scope="col">State</th>
                <th scope="col">Location</th>
                <th scope="col">First seen</th>
                <th scope="col">Last seen</th>
              </tr>
            </thead>
            <tbody>
              {refs.map((seen) => (
                <tr key={seen.refId}>
                  <th scope="row">
                    {seen.ref.replace(/^refs\/heads\//, '')}
                    {seen.isPrimary && <span className="dimmed"> (primary)</span>}
                  </th>
                  <td>
                    <StateChip state={findingStateOf({ aggregateState: seen.status })} />
                  </td>
                  <td>
                    <code>
                      {seen.path}:{seen.line}
                    </code>
                  </td>
                  <td>
                    <RelativeTime at={seen.firstSeenAt} />
                  </td>
                  <td>
                    <RelativeTime at={seen.lastSeenAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </WithEvidence>
  );
}

/** Why each scan matched its result to this finding. */
export function MatchesSection({ issue }: { issue: Issue }) {
  const org = useOrg();
  return (
    <WithEvidence title="Why scans matched it" issue={issue}>
      {({ matches, suggestions }) => (
        <>
          {matches.length === 0 && (
            <p className="dimmed">Only one scan has found it, so there was nothing to match yet.</p>
          )}
          <ol className="finding-timeline">
            {matches.map((match) => (
              <li key={`${match.scanId} ${match.at} ${match.sentence}`}>
                <p>{match.sentence}</p>
                <p className="dimmed">
                  <RelativeTime at={match.at} />,{' '}
                  <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId: match.scanId }}>
                    scan {match.scanId}
                  </Link>
                </p>
              </li>
            ))}
          </ol>
          {suggestions.map(({ issueId, sentence }) => (
            <p key={issueId}>
              <Link to="/o/$slug/findings/$issueId" params={{ slug: org.slug, issueId }}>
                ISS-{issueId}
              </Link>
              : {sentence}
            </p>
          ))}
        </>
      )}
    </WithEvidence>
  );
}
