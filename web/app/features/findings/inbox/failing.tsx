import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { AllDone } from './empty-inbox.tsx';
import { type FailingItems, failingQuery } from './queries.ts';

/** Failed scans, scans whose closings are held, and projects without a recent scan. */
export function Failing() {
  const org = useOrg();
  const { data, error, isPending, refetch } = useQuery(failingQuery(org.id));
  if (isPending) return <LoadingRows rows={4} height={60} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  if (data.scans.length + data.heldClosings.length + data.projects.length === 0)
    return (
      <AllDone title="All scans are working" why="No scan failed, and every project was scanned within 30 days." />
    );
  return (
    <>
      {data.scans.length > 0 && <FailedScans scans={data.scans} />}
      {data.heldClosings.length > 0 && <HeldClosings closings={data.heldClosings} />}
      {data.projects.length > 0 && <UnscannedProjects projects={data.projects} />}
    </>
  );
}

function FailedScans({ scans }: { scans: FailingItems['scans'] }) {
  const { slug } = useOrg();
  return (
    <section aria-labelledby="inbox-scans">
      <h2 id="inbox-scans" className="inbox-heading">
        Failed scans
      </h2>
      <ul className="inbox-rows">
        {scans.map(({ scanId, projectName, ref, at, reason }) => (
          <li key={scanId} className="inbox-row">
            <div className="inbox-row-line">
              <Link className="inbox-row-title" to="/o/$slug/scans/$scanId" params={{ slug, scanId }}>
                {projectName}
              </Link>
            </div>
            <p className="inbox-row-facts">
              <span>{ref.replace(/^refs\/heads\//, '')}</span>
              <span>
                <RelativeTime at={at} />
              </span>
              <span>{reason}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function HeldClosings({ closings }: { closings: FailingItems['heldClosings'] }) {
  const { slug } = useOrg();
  return (
    <section aria-labelledby="inbox-held">
      <h2 id="inbox-held" className="inbox-heading">
        Held closings
      </h2>
      <ul className="inbox-rows">
        {closings.map(({ scanId, projectName, ref, at, count }) => (
          <li key={scanId} className="inbox-row">
            <div className="inbox-row-line">
              <Link className="inbox-row-title" to="/o/$slug/scans/$scanId" params={{ slug, scanId }}>
                {projectName}
              </Link>
            </div>
            <p className="inbox-row-facts">
              <span>{ref.replace(/^refs\/heads\//, '')}</span>
              <span>
                <RelativeTime at={at} />
              </span>
              <span>
                {count === 1 ? '1 finding stays' : `${count} findings stay`} open until the next scan confirms that they
                are gone
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function UnscannedProjects({ projects }: { projects: FailingItems['projects'] }) {
  const { slug } = useOrg();
  return (
    <section aria-labelledby="inbox-unscanned">
      <h2 id="inbox-unscanned" className="inbox-heading">
        Not scanned for 30 days
      </h2>
      <ul className="inbox-rows">
        {projects.map(({ projectId, projectName, lastScanAt }) => (
          <li key={projectId} className="inbox-row">
            <div className="inbox-row-line">
              <Link className="inbox-row-title" to="/o/$slug/projects/$projectId" params={{ slug, projectId }}>
                {projectName}
              </Link>
            </div>
            <p className="inbox-row-facts">
              <span>
                last scan: <RelativeTime at={lastScanAt} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
