import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { heldClosingsQuery, type ProjectRepository } from '#web/foundation/api/project-queries.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { SEVERITIES, SeverityChip } from '#web/ui/badges/severity.tsx';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { openFindingsFilter } from '#web/ui/filter/open-findings-filter.ts';
import { HeldClosingsButtons } from '#web/ui/projects/held-closings.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { COVERAGE_LABELS, coverageOf } from './coverage.ts';
import { useOpenFindingCounts } from './use-open-findings.ts';

/** The open findings of a project by severity, with links, and its facts. */
export function ProjectOverview({ repo }: { repo: ProjectRepository }) {
  const org = useOrg();
  const open = useOpenFindingCounts([repo.name]).get(repo.name);
  return (
    <>
      <HeldScans repo={repo} />
      <div className="projects-severities">
        {SEVERITIES.map((severity) => (
          <Link
            key={severity}
            className="projects-number"
            to="/o/$slug/findings"
            params={{ slug: org.slug }}
            search={{ q: `${openFindingsFilter(repo.name)} severity:${severity}` }}
          >
            <strong>{open ? formatNumber(Number(open.counts[severity] ?? 0)) : '…'}</strong>
            <SeverityChip severity={severity} />
          </Link>
        ))}
      </div>
      <dl className="projects-facts">
        <dt>State</dt>
        <dd>
          {COVERAGE_LABELS[coverageOf(repo.latestScan, new Date())]}
          {repo.isArchived ? ', archived' : ''}
        </dd>
        <dt>Last scan</dt>
        <dd>
          {repo.latestScan ? (
            <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId: repo.latestScan.id }}>
              <RelativeTime at={repo.latestScan.startedAt} />
            </Link>
          ) : (
            'None yet'
          )}
        </dd>
        <dt>Primary branch</dt>
        <dd className="mono">{repo.primaryRef?.ref ?? 'unknown'}</dd>
        <dt>Scanned branches</dt>
        <dd>{repo.refs.length}</dd>
        <dt>Tags</dt>
        <dd>{repo.tags.length === 0 ? 'none' : repo.tags.join(', ')}</dd>
        <dt>Added</dt>
        <dd>
          <RelativeTime at={repo.provisionedAt} />
        </dd>
        <dt>Id</dt>
        <dd>
          <CopyText text={repo.id} label="id of the project" />
        </dd>
      </dl>
    </>
  );
}

/** Explains why findings stay open that scans no longer report. */
function HeldScans({ repo }: { repo: ProjectRepository }) {
  const org = useOrg();
  const { data = [] } = useQuery(heldClosingsQuery(org.id, repo.id));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="project-held">
      <h2 id="project-held">Held closings</h2>
      <p>
        These scans reported suspiciously little, so the findings that they did not report stay open until the next full
        scan of the branch does not report them either, or until somebody decides.
      </p>
      <ul className="scan-list">
        {data.map(({ scanId, ref, at, count }) => (
          <li key={scanId}>
            <p>
              <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId }}>
                Scan {scanId}
              </Link>{' '}
              of {ref.replace(/^refs\/heads\//, '')}, <RelativeTime at={at} />:{' '}
              {Number(count) === 1 ? '1 finding stays open' : `${count} findings stay open`}
            </p>
            <HeldClosingsButtons scanId={scanId} count={Number(count)} label={`scan ${scanId}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
