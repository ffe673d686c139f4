import type { StoredTracker } from '#web/ui/automations/automation-queries.ts';

export type TrackerKind = StoredTracker['instanceType'];

interface TrackerKindText {
  label: string;
  /** What the site and the project look like. */
  siteExample: string;
  projectLabel: string;
  projectExample: string;
  tokenHint: string;
  isJira?: boolean;
  needsAccount?: boolean;
}

/** The trackers, with what their settings are called there. */
export const TRACKER_KINDS: Record<TrackerKind, TrackerKindText> = {
  jira: {
    label: 'Jira Cloud',
    siteExample: 'https://acme.atlassian.net',
    projectLabel: 'Project key or id',
    projectExample: 'SHOP',
    tokenHint: 'An API token of the account.',
    isJira: true,
    needsAccount: true,
  },
  jira_server: {
    label: 'Jira Server or Data Center',
    siteExample: 'https://jira.acme.example',
    projectLabel: 'Project key or id',
    projectExample: 'SHOP',
    tokenHint: 'A personal access token.',
    isJira: true,
  },
  github: {
    label: 'GitHub issues',
    siteExample: 'https://github.com',
    projectLabel: 'Repository',
    projectExample: 'acme/shop',
    tokenHint: 'A token that may read and write issues.',
  },
  gitlab: {
    label: 'GitLab issues',
    siteExample: 'https://gitlab.com',
    projectLabel: 'Project',
    projectExample: 'acme/shop',
    tokenHint: 'A token with the scope api.',
  },
  linear: {
    label: 'Linear',
    siteExample: 'https://linear.app/acme',
    projectLabel: 'UUID of the team',
    projectExample: '9cfb482a-81e3-4154-b5b9-2c805e70a02d',
    tokenHint: 'A personal API key.',
  },
};
