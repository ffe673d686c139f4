/** The pages of the settings; `words` are other names that people look for, `permission` is what reading them needs. */
export const SETTINGS_SECTIONS = [
  {
    name: 'Teams',
    path: 'teams',
    words: 'groups access sub-team',
    about: 'Who belongs together, and which projects they see.',
    permission: 'team:read',
  },
  {
    name: 'People',
    path: 'people',
    words: 'users members invite roles',
    about: 'Who is in the organization, and with which role.',
    permission: 'user:read',
  },
  {
    name: 'Access inspector',
    path: 'access',
    words: 'why can see permission',
    about: 'Why a person sees a project, or does not.',
    permission: 'audit:read',
  },
  {
    name: 'Tokens',
    path: 'tokens',
    words: 'api key ci credential',
    about: 'Credentials of programs: CI, scripts, integrations.',
    permission: 'token:read',
  },
  {
    name: 'Products',
    path: 'products',
    words: 'sast sca secrets ai switches',
    about: 'What is looked for, and what is done about it.',
    permission: 'product:read',
  },
  {
    name: 'Sign-in',
    path: 'sign-in',
    words: 'sso saml oidc identity provider',
    about: 'Identity providers of the organization.',
    permission: 'sso:read',
  },
  {
    name: 'Partner credentials',
    path: 'partner',
    words: 'integration cloud security vendor',
    about: 'How this server signs in at a cloud-security vendor.',
    permission: 'credential:read',
  },
  {
    name: 'Audit log',
    path: 'audit',
    words: 'history who did what',
    about: 'Who did what, when and from where.',
    permission: 'audit:read',
  },
  {
    name: 'System',
    path: 'system',
    words: 'version jobs queue disk database',
    about: 'How the server is: version, database, jobs, disk.',
    permission: 'system:read',
  },
  {
    name: 'Appearance and keys',
    path: 'appearance',
    words: 'dark light theme keyboard shortcuts time',
    about: 'How pages look and answer to keys in this browser.',
    permission: 'deployment:read',
  },
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];
export type SettingsSectionPath = SettingsSection['path'];

/** The places whose name or other names have every word of the text. */
export function searchSections(text: string): readonly SettingsSection[] {
  const wanted = text.toLowerCase().split(/\s+/);
  return SETTINGS_SECTIONS.filter(({ name, words }) => {
    const known = `${name} ${words}`.toLowerCase();
    return wanted.every((word) => known.includes(word));
  });
}
