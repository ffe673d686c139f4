import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router';
import { queryClient } from './api/queries.ts';
import { refreshSession, sessionNow } from './api/session.ts';
import { automationSearch } from './automations/search.ts';
import { dependencySearch } from './dependencies/search.ts';
import { findingSearch } from './finding/search.ts';
import { lineId } from './findings/kinds.ts';
import { findingsSearch } from './findings/search.ts';
import { inboxSearch } from './inbox/search.ts';
import { OrgFrame } from './org/frame.tsx';
import { lastOrgSlug, orgsQuery, permissionsQuery, rememberOrg } from './org/org.ts';
import { overviewSearch } from './overview/search.ts';
import { NotFoundPage } from './parts/not-found-page.tsx';
import { LoadingRows, ProblemView } from './parts/states.tsx';
import { boardSearch } from './policies/search.ts';
import { projectSearch, projectsSearch, scanSearch } from './projects/search.ts';
import { guardrailsSearch } from './reports/search.ts';
import { settingsSearch } from './settings/search.ts';
import { parseSearch, searchOf, stringifySearch, text } from './url/search.ts';

const root = createRootRoute({ component: Outlet });

/** The session, tried once with the refresh cookie; without one the person signs in and comes back. */
async function requireSession(href: string): Promise<void> {
  if (sessionNow().kind === 'unknown') await refreshSession();
  if (sessionNow().kind !== 'signed-in') throw redirect({ to: '/sign-in', search: { next: href } });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf({ next: text }),
  component: lazyRouteComponent(() => import('./welcome/sign-in-page.tsx'), 'SignInPage'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./welcome/setup-page.tsx'), 'SetupPage'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ location }) => {
    await requireSession(location.href);
    const orgs = await queryClient.ensureQueryData(orgsQuery);
    const org = orgs.find(({ slug }) => slug === lastOrgSlug()) ?? orgs[0];
    if (org) throw redirect({ to: '/o/$slug/inbox', params: { slug: org.slug }, replace: true });
  },
  component: lazyRouteComponent(() => import('./welcome/no-org-page.tsx'), 'NoOrgPage'),
});

const shortLink = createRoute({
  getParentRoute: () => root,
  path: '/i/$issueId',
  beforeLoad: async ({ location, params }) => {
    await requireSession(location.href);
    const orgs = await queryClient.ensureQueryData(orgsQuery);
    const org = orgs.find(({ slug }) => slug === lastOrgSlug()) ?? orgs[0];
    const issueId = lineId(params.issueId);
    if (org && issueId !== undefined)
      throw redirect({ to: '/o/$slug/findings/$issueId', params: { slug: org.slug, issueId }, replace: true });
    throw redirect({ to: '/', replace: true });
  },
});

const org = createRoute({
  getParentRoute: () => root,
  path: '/o/$slug',
  beforeLoad: ({ location }) => requireSession(location.href),
  loader: async ({ params }) => {
    const orgs = await queryClient.ensureQueryData(orgsQuery);
    const found = orgs.find(({ slug }) => slug === params.slug);
    if (!found) return { org: undefined };
    const permissions = new Set(await queryClient.ensureQueryData(permissionsQuery(found.id)));
    rememberOrg(found.slug);
    const { id, slug, name } = found;
    return { org: { id, slug, name, may: (permission: string) => permissions.has(permission) } };
  },
  component: OrgPage,
});

function OrgPage() {
  return <OrgFrame org={org.useLoaderData().org} />;
}

const orgHome = createRoute({
  getParentRoute: () => org,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$slug/inbox', params, replace: true });
  },
});

const start = createRoute({
  getParentRoute: () => org,
  path: 'start',
  component: lazyRouteComponent(() => import('./welcome/start-page.tsx'), 'StartPage'),
});

const inbox = createRoute({
  getParentRoute: () => org,
  path: 'inbox',
  validateSearch: inboxSearch,
  component: lazyRouteComponent(() => import('./inbox/inbox-page.tsx'), 'InboxPage'),
});

const findings = createRoute({
  getParentRoute: () => org,
  path: 'findings',
  validateSearch: findingsSearch,
  component: lazyRouteComponent(() => import('./findings/findings-view.tsx'), 'FindingsView'),
});

const finding = createRoute({
  getParentRoute: () => org,
  path: 'findings/$issueId',
  validateSearch: findingSearch,
  component: lazyRouteComponent(() => import('./finding/finding-page.tsx'), 'FindingPage'),
});

const projects = createRoute({
  getParentRoute: () => org,
  path: 'projects',
  validateSearch: projectsSearch,
  component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => org,
  path: 'projects/$projectId',
  validateSearch: projectSearch,
  component: lazyRouteComponent(() => import('./projects/project-page.tsx'), 'ProjectPage'),
});

const scan = createRoute({
  getParentRoute: () => org,
  path: 'scans/$scanId',
  validateSearch: scanSearch,
  component: lazyRouteComponent(() => import('./projects/scan-page.tsx'), 'ScanPage'),
});

const dependencies = createRoute({
  getParentRoute: () => org,
  path: 'dependencies',
  validateSearch: dependencySearch,
  component: lazyRouteComponent(() => import('./dependencies/dependencies-page.tsx'), 'DependenciesPage'),
});

const overview = createRoute({
  getParentRoute: () => org,
  path: 'overview',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});

const guardrails = createRoute({
  getParentRoute: () => org,
  path: 'reports/guardrails',
  validateSearch: guardrailsSearch,
  component: lazyRouteComponent(() => import('./reports/guardrails-page.tsx'), 'GuardrailsPage'),
});

const policies = createRoute({
  getParentRoute: () => org,
  path: 'policies',
  component: lazyRouteComponent(() => import('./policies/boards-page.tsx'), 'BoardsPage'),
});

const board = createRoute({
  getParentRoute: () => org,
  path: 'policies/ruleboards/$boardSlug',
  validateSearch: boardSearch,
  component: lazyRouteComponent(() => import('./policies/board-page.tsx'), 'BoardPage'),
});

const automations = createRoute({
  getParentRoute: () => org,
  path: 'automations',
  validateSearch: automationSearch,
  component: lazyRouteComponent(() => import('./automations/automations-page.tsx'), 'AutomationsPage'),
});

const settings = createRoute({
  getParentRoute: () => org,
  path: 'settings/{-$section}/{-$item}',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const tree = root.addChildren([
  home,
  signIn,
  setup,
  shortLink,
  org.addChildren([
    orgHome,
    start,
    inbox,
    findings,
    finding,
    projects,
    project,
    scan,
    dependencies,
    overview,
    guardrails,
    policies,
    board,
    automations,
    settings,
  ]),
]);

function RouteProblem({ error }: { error: unknown }) {
  const { invalidate } = useRouter();
  return <ProblemView error={error} onRetry={() => void invalidate()} />;
}

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingComponent: () => <LoadingRows />,
  defaultErrorComponent: RouteProblem,
  defaultNotFoundComponent: () => <NotFoundPage />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
