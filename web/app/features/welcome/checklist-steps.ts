/** What a new organization does first, and where; the server says which of it is done. */
export const CHECKLIST_STEPS = [
  { type: 'TASK_TYPE_SCAN_CODE', name: 'Bring in a first scan', path: 'projects' },
  { type: 'TASK_TYPE_TRIAGE_FIRST_PARTY', name: 'Decide about a finding in code', path: 'findings' },
  { type: 'TASK_TYPE_TRIAGE_DEPENDENCY', name: 'Decide about a dependency', path: 'findings' },
  { type: 'TASK_TYPE_CUSTOMIZE_RULES', name: 'Say what blocks a merge', path: 'policies' },
  { type: 'TASK_TYPE_SET_UP_RECURRING_SCAN', name: 'Let CI bring in every scan', path: 'settings/tokens' },
  { type: 'TASK_TYPE_ADD_TEAM_MEMBER', name: 'Invite somebody', path: 'settings/people' },
] as const;
