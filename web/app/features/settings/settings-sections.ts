/** The settings pages, with search keywords and the permission that viewing them requires. */
export const SETTINGS_SECTIONS = [
  {
    name: 'Teams',
    path: 'teams',
    keywords: 'groups access sub-team',
    description: 'Groups of people, and the projects they can see.',
    permission: 'team:read',
  },
  {
    name: 'People',
    path: 'people',
    keywords: 'users members invite roles',
    description: 'The members of the organization and their roles.',
    permission: 'user:read',
  },
  {
    name: 'Access inspector',
    path: 'access',
    keywords: 'why can see permission',
    description: 'Why a person can or cannot see a project.',
    permission: 'audit:read',
  },
  {
    name: 'Tokens',
    path: 'tokens',
    keywords: 'api key ci credential',
    description: 'Credentials for CI, scripts and integrations.',
    permission: 'token:read',
  },
  {
    name: 'Keyless CI',
    path: 'keyless-ci',
    keywords: 'oidc workload identity github actions gitlab buildkite pipeline federation',
    description: 'CI jobs that get short-lived tokens without a stored secret.',
    permission: 'token:read',
  },
  {
    name: 'Products',
    path: 'products',
    keywords: 'sast sca secrets ai switches',
    description: 'Which products scan your projects, and how.',
    permission: 'product:read',
  },
  {
    name: 'Integrations',
    path: 'integrations',
    keywords: 'webhooks trackers tickets jira github gitlab linear slack deliveries destinations',
    description: 'Where automations send to: webhooks, trackers and Slack, with their logs.',
    permission: 'delivery:read',
  },
  {
    name: 'Sign-in',
    path: 'sign-in',
    keywords: 'sso saml oidc identity provider',
    description: 'The identity providers of the organization.',
    permission: 'sso:read',
  },
  {
    name: 'Provisioning',
    path: 'provisioning',
    keywords: 'scim okta entra directory sync groups users deprovision',
    description: 'People and groups that an identity provider manages.',
    permission: 'sso:read',
  },
  {
    name: 'Partner credentials',
    path: 'partner',
    keywords: 'integration cloud security vendor',
    description: 'How this server authenticates to a cloud-security vendor.',
    permission: 'credential:read',
  },
  {
    name: 'Audit log',
    path: 'audit',
    keywords: 'history who did what',
    description: 'Who did what, when and from where.',
    permission: 'audit:read',
  },
  {
    name: 'System',
    path: 'system',
    keywords: 'version jobs queue disk database',
    description: 'Server status: version, database, jobs, disk.',
    permission: 'system:read',
  },
  {
    name: 'Notifications',
    path: 'notifications',
    keywords: 'mail e-mail digest daily weekly unsubscribe time zone',
    description: 'What you get by mail, and when.',
    permission: 'notification:read',
  },
  {
    name: 'Your account',
    path: 'account',
    keywords: 'password sessions sign-ins second factor 2fa totp authenticator recovery profile',
    description: 'Your password, second factor and sessions.',
    permission: 'deployment:read',
  },
  {
    name: 'Appearance and shortcuts',
    path: 'appearance',
    keywords: 'dark light theme keyboard shortcuts time',
    description: 'Colors, times and keyboard shortcuts in this browser.',
    permission: 'deployment:read',
  },
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];
export type SettingsSectionPath = SettingsSection['path'];

/** The sections whose name or keywords contain every word of the text. */
export function searchSections(text: string): readonly SettingsSection[] {
  const terms = text.toLowerCase().split(/\s+/);
  return SETTINGS_SECTIONS.filter(({ name, keywords }) => {
    const searchable = `${name} ${keywords}`.toLowerCase();
    return terms.every((word) => searchable.includes(word));
  });
}
