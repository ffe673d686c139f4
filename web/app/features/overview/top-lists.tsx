import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import type { Overview } from './overview-query.ts';
import type { OpenCounts } from './use-open-counts.ts';

interface TopListProps {
  title: string;
  emptyText: string;
  isEmpty: boolean;
  children: ReactNode;
}

function TopList({ title, emptyText, isEmpty, children }: TopListProps) {
  return (
    <section className="overview-list">
      <h2>{title}</h2>
      {isEmpty ? <p className="dimmed">{emptyText}</p> : <ol>{children}</ol>}
    </section>
  );
}

interface TopListsProps {
  overview: Overview;
  worstProjects: OpenCounts['worstProjects'];
}

/** Where to look first: the top projects, rules and findings. */
export function TopLists({ overview: { noisiestRules, oldestCritical }, worstProjects }: TopListsProps) {
  const { slug } = useOrg();
  return (
    <div className="overview-lists">
      <TopList
        title="Projects with the most open findings"
        emptyText="No project has open findings."
        isEmpty={worstProjects.length === 0}
      >
        {worstProjects.map(({ name, count, q }) => (
          <li key={name}>
            <Link to="/o/$slug/projects/$projectId" params={{ slug, projectId: name }}>
              {name}
            </Link>
            <FindingsLink q={q} hasWorkflows className="number">
              {formatNumber(count)}
            </FindingsLink>
          </li>
        ))}
      </TopList>
      <TopList title="Noisiest rules" emptyText="No rule had findings ignored." isEmpty={noisiestRules.length === 0}>
        {noisiestRules.map(({ rule, count, q, ignored, ignoredQ }) => (
          <li key={rule}>
            <span className="mono">{rule}</span>
            <span className="number">
              <FindingsLink q={ignoredQ}>{formatNumber(ignored)} ignored</FindingsLink> of{' '}
              <FindingsLink q={q}>{formatNumber(count)}</FindingsLink>
            </span>
          </li>
        ))}
      </TopList>
      <TopList
        title="Oldest open criticals"
        emptyText="No critical finding is open."
        isEmpty={oldestCritical.length === 0}
      >
        {oldestCritical.map(({ issueId, title, projectName, firstSeenAt }) => (
          <li key={issueId}>
            <span>
              <Link to="/o/$slug/findings/$issueId" params={{ slug, issueId }}>
                {title}
              </Link>{' '}
              <span className="dimmed">{projectName}</span>
            </span>
            <span className="number dimmed">
              <RelativeTime at={firstSeenAt} />
            </span>
          </li>
        ))}
      </TopList>
    </div>
  );
}
