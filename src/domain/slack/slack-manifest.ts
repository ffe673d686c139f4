/** What the app may do: post to channels, and list them so that people can pick one. */
export const SLACK_SCOPES: readonly string[] = [
  'channels:read',
  'chat:write',
  'chat:write.public',
  'groups:read',
  'team:read',
];

/** Where Slack sends people back to after they allowed the installation. */
export const redirectUrlOf = (baseUrl: string, slug: string): string => `${baseUrl}/o/${slug}/settings/integrations`;

/** The manifest from which administrators create their own Slack app. */
export const manifestOf = ({ redirectUrl }: { redirectUrl: string }): string =>
  JSON.stringify(
    {
      display_information: {
        name: 'Parapet',
        description: 'Tells channels about new security findings.',
        background_color: '#1f2937',
      },
      features: { bot_user: { display_name: 'Parapet', always_online: false } },
      oauth_config: { redirect_urls: [redirectUrl], scopes: { bot: SLACK_SCOPES } },
      settings: { org_deploy_enabled: false, socket_mode_enabled: false, token_rotation_enabled: false },
    },
    null,
    2,
  );

/** The scopes that a newer version of the app needs and an installation does not have. */
export const missingScopes = (granted: readonly string[]): string[] =>
  SLACK_SCOPES.filter((scope) => !granted.includes(scope));

/** The page of Slack that asks for the permission to install the app. */
export function authorizeUrl(
  slackUrl: string,
  { clientId, state, redirectUrl }: { clientId: string; state: string; redirectUrl: string },
): string {
  const url = new URL('/oauth/v2/authorize', slackUrl);
  url.search = new URLSearchParams({
    client_id: clientId,
    scope: SLACK_SCOPES.join(','),
    redirect_uri: redirectUrl,
    state,
  }).toString();
  return url.href;
}
