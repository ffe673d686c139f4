/** The onboarding checklist of a new organization and where each step is done; the server tracks completion. */
export const CHECKLIST_STEPS = [
  { type: 'TASK_TYPE_SCAN_CODE', name: 'Import a first scan', path: 'projects' },
  { type: 'TASK_TYPE_TRIAGE_FIRST_PARTY', name: 'Triage a code finding', path: 'findings' },
  { type: 'TASK_TYPE_TRIAGE_DEPENDENCY', name: 'Triage a dependency finding', path: 'findings' },
  { type: 'TASK_TYPE_CUSTOMIZE_RULES', name: 'Choose which rules block a merge', path: 'policies' },
  { type: 'TASK_TYPE_SET_UP_RECURRING_SCAN', name: 'Upload scans from CI', path: 'settings/tokens' },
  { type: 'TASK_TYPE_ADD_TEAM_MEMBER', name: 'Invite a team member', path: 'settings/people' },
] as const;
