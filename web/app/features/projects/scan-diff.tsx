import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { scans } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { HeldClosingsButtons } from '#web/ui/projects/held-closings.tsx';

interface DiffFinding {
  issueId: string;
  title: string;
  severity?: string | undefined;
  path: string;
  line?: string | number | undefined;
}

const KINDS = [
  ['opened', 'New'],
  ['fixed', 'Fixed'],
  ['reopened', 'Reopened'],
] as const;

/** The findings that a scan opened, fixed and reopened, most severe first. */
export function ScanDiff({ scanId }: { scanId: string }) {
  const org = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: [org.id, 'scan-diff', scanId],
    queryFn: ({ signal }) => scans.getScanDiff({ path: { deploymentId: org.id, scanId } }, { signal }),
  });
  if (!data) return error ? <ProblemView error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={4} />;
  const { counts, previousScanId } = data;
  return (
    <>
      <p>
        {counts.opened} new, {counts.fixed} fixed, {counts.reopened} reopened, {counts.moved} moved and{' '}
        {counts.unchanged} unchanged
        {previousScanId && (
          <>
            , compared to{' '}
            <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId: previousScanId }}>
              the previous scan
            </Link>
          </>
        )}
        .
      </p>
      {counts.held > 0 && <HeldClosings scanId={scanId} count={counts.held} />}
      <div className="scan-columns">
        {KINDS.map(([kind, name]) => (
          <section key={kind}>
            <h3>
              {name}: {counts[kind]}
            </h3>
            <DiffRows rows={data[kind]} count={counts[kind]} />
          </section>
        ))}
      </div>
    </>
  );
}

/** The scan reported suspiciously little, so what it did not report stays open. */
function HeldClosings({ scanId, count }: { scanId: string; count: number }) {
  const { slug } = useOrg();
  return (
    <div role="note">
      <p>
        <Link to="/o/$slug/findings" params={{ slug }} search={{ q: 'is:held' }}>
          {count === 1 ? '1 finding stays open' : `${count} findings stay open`}
        </Link>{' '}
        although this scan did not report {count === 1 ? 'it' : 'them'}, because it covered less than the scan before.
        The next full scan of this branch that does not report {count === 1 ? 'it' : 'them'} either closes{' '}
        {count === 1 ? 'it' : 'them'}, or you decide now.
      </p>
      <HeldClosingsButtons scanId={scanId} count={count} label={`scan ${scanId}`} />
    </div>
  );
}

function DiffRows({ rows, count }: { rows: readonly DiffFinding[]; count: number }) {
  const org = useOrg();
  if (count === 0) return <p className="dimmed">None.</p>;
  return (
    <ul className="scan-list">
      {rows.map((row) => (
        <li key={row.issueId}>
          <SeverityChip severity={severityOf(row.severity)} />{' '}
          <Link to="/o/$slug/findings/$issueId" params={{ slug: org.slug, issueId: row.issueId }}>
            {row.title}
          </Link>
          <div className="dimmed mono">
            {row.path}
            {row.line ? `:${row.line}` : ''}
          </div>
        </li>
      ))}
      {rows.length < count && <li className="dimmed">… and {count - rows.length} more.</li>}
    </ul>
  );
}
