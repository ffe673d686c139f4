import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { firstProjectQuery } from '#web/foundation/api/project-queries.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { HeldClosingsButtons } from '#web/ui/projects/held-closings.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { AllDone } from './empty-inbox.tsx';
import { type FailingItems, failingQuery } from './queries.ts';

/** Failed scans, scans whose closings are held, and projects without a recent scan. */
export function Failing() {
  const org = useOrg();
  const { data, error, isPending, refetch } = useQuery(failingQuery(org.id));
  if (isPending) return <LoadingRows rows={4} height={60} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  if (data.scans.length + data.heldClosings.length + data.projects.length === 0) return <NothingFails />;
  return (
    <>
      {data.scans.length > 0 && (
        <ScanList
          id="inbox-scans"
          title="Failed scans"
          scans={data.scans.map(({ reason, ...scan }) => ({ ...scan, fact: reason }))}
        />
      )}
      {data.heldClosings.length > 0 && (
        <ScanList
          id="inbox-held"
          title="Held closings"
          scans={data.heldClosings.map(({ count, ...scan }) => ({
            ...scan,
            fact: heldFact(count),
            action: <HeldClosingsButtons scanId={scan.scanId} count={count} label={scan.projectName} />,
          }))}
        />
      )}
      {data.projects.length > 0 && <UnscannedProjects projects={data.projects} />}
    </>
  );
}

/** Says that all is well only if there is something that could fail. */
function NothingFails() {
  const org = useOrg();
  const { data: first } = useQuery(firstProjectQuery(org.id));
  if (first === undefined) return <LoadingRows rows={1} height={60} />;
  return first === null ? (
    <EmptyState title="No scans yet" why="Scans that fail appear here, and projects without a scan for 30 days." />
  ) : (
    <AllDone title="All scans are working" why="No scan failed, and every project was scanned within 30 days." />
  );
}

interface ScanEntry {
  scanId: string;
  projectName: string;
  ref: string;
  at: string;
  fact: string;
  action?: ReactNode;
}

/** Scans that need attention, each with the fact that says why. */
function ScanList({ id, title, scans }: { id: string; title: string; scans: readonly ScanEntry[] }) {
  const { slug } = useOrg();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="inbox-heading">
        {title}
      </h2>
      <ul className="inbox-rows">
        {scans.map(({ scanId, projectName, ref, at, fact, action }) => (
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
              <span>{fact}</span>
            </p>
            {action}
          </li>
        ))}
      </ul>
    </section>
  );
}

const heldFact = (count: number) =>
  `${count === 1 ? '1 finding stays' : `${count} findings stay`} open until the next scan or a person confirms it`;

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
