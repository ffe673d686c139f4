import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { CopyText } from '#web/parts/copy-text.tsx';
import { Page } from '#web/parts/page.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { When } from '#web/parts/when.tsx';
import './projects.css';
import { repoQuery, type Scan, scanQuery } from './queries.ts';
import { ScanDiff } from './scan-diff.tsx';
import { SCAN_PRODUCT_WORDS, SCAN_STATUS_WORDS } from './scan-words.ts';

const route = getRouteApi('/o/$slug/scans/$scanId');

/** One scan: what it looked at, how it ended, and what it changed against the one before. */
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
      actions={<CopyAs operationId="ScansService_GetScan" input={{ path: { deploymentId: org.id, scanId } }} />}
    >
      {problem}
      <ScanFacts scan={scan} />
      <h2>What it changed</h2>
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

function ScanFacts({ scan }: { scan: Scan }) {
  const { code, supplyChain, secrets, total } = scan.findingsCounts;
  return (
    <dl className="projects-facts">
      <dt>Outcome</dt>
      <dd>
        {SCAN_STATUS_WORDS[scan.status ?? 'SCAN_STATUS_PENDING']}
        {scan.exitCode !== undefined && `, exit code ${scan.exitCode}`}
      </dd>
      <dt>Started</dt>
      <dd>
        <When at={scan.startTime} />
      </dd>
      <dt>Ended</dt>
      <dd>{scan.completeTime === undefined ? 'not yet' : <When at={scan.completeTime} />}</dd>
      <dt>Kind</dt>
      <dd>{scan.isFullScan ? 'Full scan' : 'Changes only'}</dd>
      <dt>Looked for</dt>
      <dd>
        {scan.enabledProducts.map((product) => SCAN_PRODUCT_WORDS[product ?? ''] ?? product).join(', ') || 'not said'}
      </dd>
      <dt>Commit</dt>
      <dd>{scan.commit === '' ? 'not said' : <CopyText text={scan.commit} label="commit" />}</dd>
      <dt>Findings</dt>
      <dd>
        {total} ({code} in code, {supplyChain} in dependencies, {secrets} secrets)
      </dd>
    </dl>
  );
}
