import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import './projects.css';
import { type ProjectScan, repoQuery, scanQuery } from '#web/foundation/api/project-queries.ts';
import { ScanDiff } from './scan-diff.tsx';
import { SCAN_PRODUCT_LABELS, SCAN_STATUS_LABELS } from './scan-labels.ts';

const route = getRouteApi('/o/$slug/scans/$scanId');

/** One scan: its facts, its outcome and its changes against the previous scan. */
export function ScanPage() {
  const org = useOrg();
  const { scanId } = route.useParams();
  const { data: scan, error, refetch } = useQuery(scanQuery(org.id, scanId));
  const problem = error && <ProblemView error={error} onRetry={() => void refetch()} />;
  if (!scan) return <Page title={`Scan ${scanId}`}>{problem ?? <LoadingRows />}</Page>;
  return (
    <Page
      title={`Scan ${scanId}`}
      aside={<ProjectLink projectId={scan.projectId} />}
      actions={<CopyAsMenu operationId="ScansService_GetScan" input={{ path: { deploymentId: org.id, scanId } }} />}
    >
      {problem}
      <ScanFacts scan={scan} />
      <h2>Changes</h2>
      <ScanDiff scanId={scanId} />
    </Page>
  );
}

function ProjectLink({ projectId }: { projectId: string }) {
  const org = useOrg();
  const { data } = useQuery(repoQuery(org.id, projectId));
  return (
    <Link to="/o/$slug/projects/$projectId" params={{ slug: org.slug, projectId }} search={{ tab: 'scans' }}>
      {data?.name ?? 'Project'}
    </Link>
  );
}

function ScanFacts({ scan }: { scan: ProjectScan }) {
  const { code, supplyChain, secrets, total } = scan.findingsCounts;
  return (
    <dl className="projects-facts">
      <dt>Outcome</dt>
      <dd>
        {SCAN_STATUS_LABELS[scan.status ?? 'SCAN_STATUS_PENDING']}
        {scan.exitCode !== undefined && `, exit code ${scan.exitCode}`}
      </dd>
      <dt>Started</dt>
      <dd>
        <RelativeTime at={scan.startTime} />
      </dd>
      <dt>Ended</dt>
      <dd>{scan.completeTime === undefined ? 'not yet' : <RelativeTime at={scan.completeTime} />}</dd>
      <dt>Kind</dt>
      <dd>{scan.isFullScan ? 'Full scan' : 'Changes only'}</dd>
      <dt>Products</dt>
      <dd>
        {scan.enabledProducts.map((product) => SCAN_PRODUCT_LABELS[product ?? ''] ?? product).join(', ') || 'unknown'}
      </dd>
      <dt>Commit</dt>
      <dd>{scan.commit === '' ? 'unknown' : <CopyText text={scan.commit} label="commit" />}</dd>
      <dt>Findings</dt>
      <dd>
        {total} ({code} in code, {supplyChain} in dependencies, {secrets} secrets)
      </dd>
    </dl>
  );
}
