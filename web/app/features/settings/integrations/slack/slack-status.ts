import type { Status } from '../../parts/status-text.tsx';

interface SlackFacts {
  app: { client_id: string; has_client_secret: boolean };
  installation: { app_id: string; team_name: string; archived: boolean; update_available: boolean };
}

export type SlackStage = 'new' | 'app' | 'installed';

/** How far Slack is connected. */
export function slackStage({ app, installation }: SlackFacts): SlackStage {
  if (installation.app_id !== '') return 'installed';
  return app.client_id !== '' && app.has_client_secret ? 'app' : 'new';
}

/** What is wrong or right with it, in a few words, and what to do about it. */
export function slackHealth(facts: SlackFacts): Status & { advice: string } {
  const { archived, update_available: needsUpdate, team_name: team } = facts.installation;
  switch (slackStage(facts)) {
    case 'new':
      return { kind: 'none', text: 'Not connected', advice: 'Connect a workspace so that automations can post to it.' };
    case 'app':
      return { kind: 'warn', text: 'Not installed', advice: 'The app is known here. Install it in your workspace.' };
    case 'installed':
      if (archived)
        return {
          kind: 'bad',
          text: 'Token refused',
          advice: 'Slack does not accept the token: install the app again.',
        };
      if (needsUpdate)
        return {
          kind: 'warn',
          text: 'Update available',
          advice: 'The app needs more permissions: update its manifest at Slack, and install it again.',
        };
      return { kind: 'good', text: 'Installed', advice: `Installed in the workspace ${team}.` };
  }
}

/** The answer of Slack on the way back, from the address of the page. */
export function slackReturnOf({ code, state, error }: { code?: string; state?: string; error?: string }) {
  if (code !== undefined && state !== undefined) return { code, state };
  return error === undefined ? undefined : { error };
}

/** Why Slack did not install the app. */
export const refusalText = (error: string): string =>
  error === 'access_denied' ? 'The installation was cancelled at Slack.' : `Slack did not install the app: ${error}.`;
