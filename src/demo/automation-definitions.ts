const condition = (type: string, ...values: string[]) => ({
  type: `CONDITION_TYPE_${type}`,
  mode: 'MODE_ANY',
  values,
});
const action = (type: string, config: Record<string, string> = {}) => ({ type: `ACTION_TYPE_${type}`, config });

/** What the automations of the demo refer to. */
export interface AutomationTargets {
  /** Of the payments team. */
  projects: readonly string[];
  siem: string;
  chat: string;
  tracker: string;
}

/** The automations of the demo, with the mode that each has. */
export const automationsOf = ({ projects, siem, chat, tracker }: AutomationTargets) =>
  [
    {
      mode: 'live',
      name: 'Block what is critical',
      description: 'Critical findings stop the merge.',
      conditions: [condition('SEVERITY', 'critical')],
      actions: [action('PR_COMMENT'), action('BLOCK')],
    },
    {
      mode: 'live',
      name: 'Send what is severe to the SIEM',
      description: 'The security operations center correlates it with what it sees at run time.',
      conditions: [condition('SEVERITY', 'critical', 'high')],
      actions: [action('WEBHOOK', { webhook_id: siem })],
    },
    {
      mode: 'live',
      name: 'Tell the payments team',
      description: 'What is new in their projects goes to their chat.',
      conditions: [condition('SEVERITY', 'critical', 'high', 'medium'), condition('REPOSITORY_ID', ...projects)],
      actions: [action('WEBHOOK', { webhook_id: chat })],
    },
    {
      mode: 'live',
      name: 'Ticket for critical findings',
      description: 'One ticket for each rule and project.',
      conditions: [condition('SEVERITY', 'critical'), condition('PRIMARY_REF', 'true')],
      actions: [action('JIRA', { project_id: 'SHOP', credential_slug: tracker })],
    },
    {
      mode: 'simulate',
      name: 'Ignore findings of low severity',
      description: 'Observed for a while before it decides anything.',
      conditions: [condition('SEVERITY', 'low', 'info')],
      actions: [action('TRIAGE', { state: 'ignored', reason: 'acceptable_risk' })],
    },
    {
      mode: 'paused',
      name: 'Reviews for what may be exploited',
      description: 'Paused until the team has agreed on it.',
      conditions: [condition('EPSS_CATEGORY', 'high')],
      actions: [action('TRIAGE', { state: 'reviewing' })],
    },
  ] as const;
