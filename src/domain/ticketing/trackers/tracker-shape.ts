export const TRACKER_KINDS = ['jira', 'jira_server', 'github', 'gitlab', 'linear'] as const;
export type TrackerKind = (typeof TRACKER_KINDS)[number];
