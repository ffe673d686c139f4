import { Link } from '@tanstack/react-router';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';

export interface MatchPreview {
  count: string;
  projects: readonly { name: string; count: number }[];
  worstIssueIds: readonly string[];
}

export const findingCount = (count: string | number): string =>
  `${formatNumber(Number(count))} existing finding${Number(count) === 1 ? '' : 's'}`;

/** How many existing findings conditions match, in which projects, and the worst of them. */
export function MatchingFindings({ preview: { count, projects, worstIssueIds } }: { preview: MatchPreview }) {
  const { slug } = useOrg();
  if (count === '0') return <>Matches no existing finding.</>;
  const named = projects.reduce((sum, project) => sum + project.count, 0);
  return (
    <>
      Matches <strong>{findingCount(count)}</strong>:{' '}
      {projects.map((project) => `${project.name} (${formatNumber(project.count)})`).join(', ')}
      {named < Number(count) && ` and ${formatNumber(Number(count) - named)} in other projects`}. Worst:{' '}
      {worstIssueIds.map((issueId, index) => (
        <span key={issueId}>
          {index > 0 && ', '}
          <Link to="/o/$slug/findings/$issueId" params={{ slug, issueId }} target="_blank">
            ISS-{issueId}
          </Link>
        </span>
      ))}
    </>
  );
}
