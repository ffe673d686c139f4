/** Words that people read for words of the API: one small record each, in the order of their names. */

export const ORG_ROLE_LABELS: Record<string, string> = {
  ORG_ROLE_ADMIN: 'Administrator',
  ORG_ROLE_MEMBER: 'Member',
  ORG_ROLE_READONLY: 'Read only',
  ORG_ROLE_IMPERSONATOR: 'Impersonator',
};

export const SSO_TYPE_LABELS: Record<string, string> = {
  SSO_TYPE_GITLAB: 'GitLab',
  SSO_TYPE_GOOGLE: 'Google',
  SSO_TYPE_OPENID: 'OpenID Connect',
  SSO_TYPE_SAML2: 'SAML 2.0',
  SSO_TYPE_SCMHOST: 'Source-code host',
  SSO_TYPE_SIMPLE: 'Password',
  SSO_TYPE_WORKOS: 'WorkOS',
};

export const TEAM_ROLE_LABELS: Record<string, string> = {
  TEAM_ROLE_MANAGER: 'Manager',
  TEAM_ROLE_MEMBER: 'Member',
  TEAM_ROLE_READONLY: 'Read only',
};

export const TOKEN_ROLE_LABELS: Record<string, string> = {
  TOKEN_ROLE_AGENT_CLI: 'CI upload',
  TOKEN_ROLE_MEMBER: 'Member',
  TOKEN_ROLE_READ_ONLY: 'Read only',
  TOKEN_ROLE_WEBAPI: 'Full API',
};

export const TRIAGE_PERMISSION_LABELS: Record<string, string> = {
  TRIAGE_PERMISSION_IGNORE: 'ignore them',
  TRIAGE_PERMISSION_NONE: 'nothing',
  TRIAGE_PERMISSION_REQUEST: 'ask to ignore them',
};
