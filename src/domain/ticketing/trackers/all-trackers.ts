import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { GithubTracker } from './github-issues.ts';
import { GitlabTracker } from './gitlab-issues.ts';
import { JiraTracker } from './jira.ts';
import { LinearTracker } from './linear.ts';
import type { Tracker, TrackerFieldKind } from './tracker.ts';
import type { TrackerKind } from './tracker-shape.ts';

export type TrackerServices = Pick<Services, 'egress' | 'keys' | 'version'> & { readonly baseUrl: string };

/** What a client of a tracker needs. */
export interface TrackerSettings {
  deployment: string;
  kind: TrackerKind;
  siteUrl: string;
  /** The e-mail address of the token's account at Jira Cloud. */
  account: string;
  token: Secret;
  trackerAccount: string;
  trackerProject: string;
  issueType: string;
  fieldKinds: Readonly<Record<string, TrackerFieldKind>>;
  fixedTransition: string;
}

const basicOf = (account: string, token: Secret) =>
  new Secret(`Basic ${Buffer.from(`${account}:${reveal(token)}`).toString('base64')}`);
const bearerOf = (token: Secret) => new Secret(`Bearer ${reveal(token)}`);

/** The address of the API that belongs to the web address of a tracker. */
export function apiBaseOf(kind: TrackerKind, siteUrl: string): string {
  const { origin, hostname } = new URL(siteUrl);
  if (kind === 'github') return hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
  if (kind === 'gitlab') return `${siteUrl}/api/v4`;
  if (kind === 'linear') return hostname === 'linear.app' ? 'https://api.linear.app' : origin;
  return siteUrl;
}

function headersOf({ kind, account, token }: TrackerSettings): Record<string, string | Secret> {
  if (kind === 'jira') return { authorization: basicOf(account, token) };
  if (kind === 'gitlab') return { 'private-token': token };
  if (kind === 'linear') return { authorization: token };
  if (kind === 'jira_server') return { authorization: bearerOf(token) };
  return {
    authorization: bearerOf(token),
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  };
}

/** The client of a tracker of any kind. */
export function trackerOf(
  { egress, version }: Pick<TrackerServices, 'egress' | 'version'>,
  settings: TrackerSettings,
  timeoutMs?: number,
): Tracker {
  const { deployment, kind, siteUrl, trackerProject, trackerAccount: account } = settings;
  const base = apiBaseOf(kind, siteUrl);
  const access = { egress, version, tenant: deployment, base, headers: headersOf(settings), timeoutMs };
  if (kind === 'github') return new GithubTracker(access, { siteUrl, trackerProject, account });
  if (kind === 'gitlab') return new GitlabTracker(access, { siteUrl, trackerProject, account });
  if (kind === 'linear') return new LinearTracker(access, { siteUrl, trackerProject });
  return new JiraTracker(access, { ...settings, isCloud: kind === 'jira' });
}
