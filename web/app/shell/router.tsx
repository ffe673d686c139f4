import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router';
import { useEffect } from 'react';
import { automationSearch, automationsSearch } from '#web/features/automations/search.ts';
import { findingSearch } from '#web/features/findings/detail/search.ts';
import { inboxSearch } from '#web/features/findings/inbox/search.ts';
import { findingId } from '#web/features/findings/model/finding-id.ts';
import { findingsSearch } from '#web/features/findings/model/search.ts';
import { overviewSearch } from '#web/features/overview/search.ts';
import { boardSearch, policiesSearch } from '#web/features/policies/search.ts';
import { dependencySearch } from '#web/features/projects/dependencies/search.ts';
import { projectSearch, projectsSearch, scanSearch } from '#web/features/projects/search.ts';
import { guardrailsSearch } from '#web/features/reports/search.ts';
import { settingsSearch } from '#web/features/settings/parts/search.ts';
import { isOutage, RECOVERY_INTERVAL_MS } from '#web/foundation/api/problem.ts';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { currentSession, refreshSession } from '#web/foundation/api/session.ts';
import { lastOrgSlug, orgsQuery, permissionsQuery, rememberOrg } from '#web/foundation/session/org.ts';
import { parseSearch, searchParser, stringifySearch, textParam } from '#web/foundation/url/search-params.ts';
import { NotFoundPage } from '#web/ui/page/not-found-page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { OrgFrame } from './org-frame.tsx';
import { OWN_ORG, scannerLink } from './scanner-links.ts';

const root = createRootRoute({ component: Outlet });

/** Requires a session, restored with the refresh cookie if needed; otherwise redirects to sign-in and back. */
async function requireSession(href: string): Promise<void> {
  if (currentSession().kind === 'unknown') await refreshSession();
  if (currentSession().kind !== 'signed-in') throw redirect({ to: '/sign-in', search: { next: href } });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchParser({ next: textParam, org: textParam }),
  component: lazyRouteComponent(() => import('#web/features/welcome/sign-in-page.tsx'), 'SignInPage'),
});

const sso = createRoute({
  getParentRoute: () => root,
  path: '/sso/$provider',
  component: lazyRouteComponent(() => import('#web/features/welcome/sso-page.tsx'), 'SsoPage'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('#web/features/welcome/setup-page.tsx'), 'SetupPage'),
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
  component: lazyRouteComponent(() => import('#web/features/welcome/no-org-page.tsx'), 'NoOrgPage'),
});

const shortLink = createRoute({
  getParentRoute: () => root,
  path: '/i/$issueId',
  beforeLoad: async ({ location, params }) => {
    await requireSession(location.href);
    const orgs = await queryClient.ensureQueryData(orgsQuery);
    const org = orgs.find(({ slug }) => slug === lastOrgSlug()) ?? orgs[0];
    const issueId = findingId(params.issueId);
    if (org && issueId !== undefined)
      throw redirect({ to: '/o/$slug/findings/$issueId', params: { slug: org.slug, issueId }, replace: true });
    throw redirect({ to: '/', replace: true });
  },
});

const toScannerLink = async ({ location }: { location: { pathname: string; href: string } }) => {
  await requireSession(location.href);
  const link = scannerLink(location.pathname, new URL(location.href, window.location.origin).search);
  const orgs = await queryClient.ensureQueryData(orgsQuery);
  const own = orgs.find(({ slug }) => slug === lastOrgSlug()) ?? orgs[0];
  const slug = link?.slug === OWN_ORG ? own?.slug : link?.slug;
  if (!link || slug === undefined) throw redirect({ to: '/', replace: true });
  throw redirect({ href: `/o/${encodeURIComponent(slug)}/${link.page}`, replace: true });
};

const scannerOrgLinks = createRoute({ getParentRoute: () => root, path: '/orgs/$', beforeLoad: toScannerLink });
const scannerOwnLinks = createRoute({ getParentRoute: () => root, path: '/manage/$', beforeLoad: toScannerLink });

const org = createRoute({
  getParentRoute: () => root,
  path: '/o/$slug',
  beforeLoad: ({ location }) => requireSession(location.href),
  loader: async ({ params }) => {
    const orgs = await queryClient.ensureQueryData(orgsQuery);
    const match = orgs.find(({ slug }) => slug === params.slug);
    if (!match) return { org: undefined };
    const permissions = new Set(await queryClient.ensureQueryData(permissionsQuery(match.id)));
    rememberOrg(match.slug);
    const { id, slug, name } = match;
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
  component: lazyRouteComponent(() => import('#web/features/welcome/start-page.tsx'), 'StartPage'),
});

const inbox = createRoute({
  getParentRoute: () => org,
  path: 'inbox',
  validateSearch: inboxSearch,
  component: lazyRouteComponent(() => import('#web/features/findings/inbox/inbox-page.tsx'), 'InboxPage'),
});

const findings = createRoute({
  getParentRoute: () => org,
  path: 'findings',
  validateSearch: findingsSearch,
  component: lazyRouteComponent(() => import('#web/features/findings/list/findings-page.tsx'), 'FindingsPage'),
});

const finding = createRoute({
  getParentRoute: () => org,
  path: 'findings/$issueId',
  validateSearch: findingSearch,
  component: lazyRouteComponent(() => import('#web/features/findings/detail/finding-page.tsx'), 'FindingPage'),
});

const projects = createRoute({
  getParentRoute: () => org,
  path: 'projects',
  validateSearch: projectsSearch,
  component: lazyRouteComponent(() => import('#web/features/projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => org,
  path: 'projects/$projectId',
  validateSearch: projectSearch,
  component: lazyRouteComponent(() => import('#web/features/projects/project-page.tsx'), 'ProjectPage'),
});

const scan = createRoute({
  getParentRoute: () => org,
  path: 'scans/$scanId',
  validateSearch: scanSearch,
  component: lazyRouteComponent(() => import('#web/features/projects/scan-page.tsx'), 'ScanPage'),
});

const dependencies = createRoute({
  getParentRoute: () => org,
  path: 'dependencies',
  validateSearch: dependencySearch,
  component: lazyRouteComponent(
    () => import('#web/features/projects/dependencies/dependencies-page.tsx'),
    'DependenciesPage',
  ),
});

const overview = createRoute({
  getParentRoute: () => org,
  path: 'overview',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('#web/features/overview/overview-page.tsx'), 'OverviewPage'),
});

const guardrails = createRoute({
  getParentRoute: () => org,
  path: 'reports/guardrails',
  validateSearch: guardrailsSearch,
  component: lazyRouteComponent(() => import('#web/features/reports/guardrails-page.tsx'), 'GuardrailsPage'),
});

const policies = createRoute({
  getParentRoute: () => org,
  path: 'policies',
  validateSearch: policiesSearch,
  component: lazyRouteComponent(() => import('#web/features/policies/policies-page.tsx'), 'PoliciesPage'),
});

const board = createRoute({
  getParentRoute: () => org,
  path: 'policies/ruleboards/$boardSlug',
  validateSearch: boardSearch,
  component: lazyRouteComponent(() => import('#web/features/policies/board-page.tsx'), 'BoardPage'),
});

const playground = createRoute({
  getParentRoute: () => org,
  path: 'playground',
  component: lazyRouteComponent(() => import('#web/features/playground/playground-page.tsx'), 'PlaygroundPage'),
});

const automations = createRoute({
  getParentRoute: () => org,
  path: 'automations',
  validateSearch: automationsSearch,
  component: lazyRouteComponent(() => import('#web/features/automations/automations-page.tsx'), 'AutomationsPage'),
});

const automation = createRoute({
  getParentRoute: () => org,
  path: 'automations/$automationId',
  validateSearch: automationSearch,
  component: lazyRouteComponent(() => import('#web/features/automations/automation-page.tsx'), 'AutomationPage'),
});

const settings = createRoute({
  getParentRoute: () => org,
  path: 'settings/{-$section}/{-$item}',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('#web/features/settings/settings-page.tsx'), 'SettingsPage'),
});

const tree = root.addChildren([
  home,
  signIn,
  sso,
  setup,
  shortLink,
  scannerOrgLinks,
  scannerOwnLinks,
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
    playground,
    automations,
    automation,
    settings,
  ]),
]);

function RouteProblem({ error }: { error: unknown }) {
  const { invalidate } = useRouter();
  const isAway = isOutage(error);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => void invalidate(), RECOVERY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isAway, invalidate]);
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
