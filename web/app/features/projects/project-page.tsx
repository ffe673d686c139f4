import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabList } from '#web/ui/page/tab-list.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DependencyList } from './dependencies/dependency-list.tsx';
import { ProjectOverview } from './project-overview.tsx';
import { ProjectSettings } from './project-settings.tsx';
import './projects.css';
import { repoQuery } from '#web/foundation/api/project-queries.ts';
import { ScanList } from './scan-list.tsx';

const route = getRouteApi('/o/$slug/projects/$projectId');

const TABS = { overview: 'Overview', scans: 'Scans', dependencies: 'Dependencies', settings: 'Settings' } as const;
type Tab = keyof typeof TABS;

/** One project: its open findings, scans, dependencies and settings. */
export function ProjectPage() {
  const org = useOrg();
  const { projectId } = route.useParams();
  const { tab = 'overview' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: repo, error, refetch } = useQuery(repoQuery(org.id, projectId));
  const problem = error && <ProblemView error={error} onRetry={() => void refetch()} />;
  if (!repo) return <Page title="Project">{problem ?? <LoadingRows />}</Page>;
  return (
    <Page
      title={repo.name}
      aside={
        <Link to="/o/$slug/projects" params={{ slug: org.slug }}>
          All projects
        </Link>
      }
      actions={
        <CopyAsMenu
          operationId="ProjectsService_GetRepo"
          input={{ path: { deploymentId: org.id, idOrName: repo.id } }}
        />
      }
    >
      {problem}
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: next === 'overview' ? {} : { tab: next as Tab } })}
        keepMounted={false}
      >
        <TabList open={tab}>
          {(Object.keys(TABS) as Tab[]).map((name) => (
            <Tabs.Tab key={name} value={name} data-tab={name}>
              {TABS[name]}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value="overview">
          <ProjectOverview repo={repo} />
        </Tabs.Panel>
        <Tabs.Panel value="scans">
          <ScanList projectId={repo.id} />
        </Tabs.Panel>
        <Tabs.Panel value="dependencies">
          <DependencyList filter={{ q: '', project: repo.id }} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <ProjectSettings repo={repo} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
