/** What an app of ours may do, each with its reason in the guide. */
export const GITHUB_APP_PERMISSIONS = {
  metadata: 'read',
  contents: 'read',
  pull_requests: 'write',
  checks: 'write',
  statuses: 'write',
  members: 'read',
} as const;

export const GITHUB_APP_EVENTS = ['push', 'pull_request', 'repository'] as const;

interface ManifestOrder {
  baseUrl: string;
  namespace: string;
  hookUrl: string;
  /** The page of ours that the browser returns to. */
  returnUrl: string;
}

/** The manifest of an app for one deployment, as GitHub takes it from the form of a browser. */
export const githubManifest = ({ baseUrl, namespace, hookUrl, returnUrl }: ManifestOrder): string =>
  JSON.stringify({
    // Names of apps are unique at GitHub and have at most 34 characters.
    name: `Parapet ${namespace}`.slice(0, 34),
    url: baseUrl,
    hook_attributes: { url: hookUrl, active: true },
    redirect_url: returnUrl,
    public: false,
    default_permissions: GITHUB_APP_PERMISSIONS,
    default_events: GITHUB_APP_EVENTS,
  });

/** Where the browser posts the manifest to; the state returns with the person. */
export function manifestFormUrl(
  hostUrl: string,
  { namespace, entity, state }: { namespace: string; entity: 'org' | 'user'; state: string },
): string {
  const owner = entity === 'org' ? `/organizations/${encodeURIComponent(namespace)}` : '';
  return `${hostUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`;
}
