import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/org/org.ts';
import { CopyText } from '#web/parts/copy-text.tsx';
import { numberText } from '#web/parts/number-text.ts';
import { SEVERITIES, SeverityChip } from '#web/parts/severity.tsx';
import { When } from '#web/parts/when.tsx';
import { COVERAGE_WORDS, coverageOf } from './coverage.ts';
import { openFilterOf } from './open-filter.ts';
import type { Repository } from './queries.ts';
import { useOpenFindings } from './use-severities.ts';

/** The facts of a project, and what is open in it by severity: each number leads to its findings. */
export function ProjectOverview({ repo }: { repo: Repository }) {
  const org = useOrg();
  const open = useOpenFindings([repo.name]).get(repo.name);
  return (
    <>
      <div className="projects-severities">
        {SEVERITIES.map((severity) => (
          <Link
            key={severity}
            className="projects-number"
            to="/o/$slug/findings"
            params={{ slug: org.slug }}
            search={{ q: `${openFilterOf(repo.name)} severity:${severity}` }}
          >
            <strong>{open ? numberText(Number(open.counts[severity] ?? 0)) : '…'}</strong>
            <SeverityChip severity={severity} />
          </Link>
        ))}
      </div>
      <dl className="projects-facts">
        <dt>State</dt>
        <dd>
          {COVERAGE_WORDS[coverageOf(repo.latestScan, new Date())]}
          {repo.isArchived ? ', archived' : ''}
        </dd>
        <dt>Last scan</dt>
        <dd>
          {repo.latestScan ? (
            <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId: repo.latestScan.id }}>
              <When at={repo.latestScan.startedAt} />
            </Link>
          ) : (
            'None yet'
          )}
        </dd>
        <dt>Primary branch</dt>
        <dd className="mono">{repo.primaryRef?.ref ?? 'not known yet'}</dd>
        <dt>Branches seen</dt>
        <dd>{repo.refs.length}</dd>
        <dt>Tags</dt>
        <dd>{repo.tags.length === 0 ? 'none' : repo.tags.join(', ')}</dd>
        <dt>Added</dt>
        <dd>
          <When at={repo.provisionedAt} />
        </dd>
        <dt>Id</dt>
        <dd>
          <CopyText text={repo.id} label="id of the project" />
        </dd>
      </dl>
    </>
  );
}
