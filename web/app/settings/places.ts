/** The pages of the settings; `words` are other names that people look for. */
export const SETTINGS = [
  { name: 'Teams', path: 'teams', words: 'groups access sub-team' },
  { name: 'People', path: 'people', words: 'users members invite roles' },
  { name: 'Access inspector', path: 'access', words: 'why can see permission' },
  { name: 'Tokens', path: 'tokens', words: 'api key ci credential' },
  { name: 'Products', path: 'products', words: 'sast sca secrets ai switches' },
  { name: 'Sign-in', path: 'sign-in', words: 'sso saml oidc identity provider' },
  { name: 'Partner credentials', path: 'partner', words: 'integration cloud security vendor' },
  { name: 'Audit log', path: 'audit', words: 'history who did what' },
  { name: 'System', path: 'system', words: 'version jobs queue disk database' },
] as const;

export type SettingsSection = (typeof SETTINGS)[number]['path'];
