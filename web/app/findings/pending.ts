import { service } from '#web/api/client.ts';

interface Body {
  q: string;
  params: { triageState: string; triageReason?: string; note?: string; until?: string };
  snapshot: string;
  dryRun?: boolean;
}

/** What a change of all that match would touch. */
export interface DryRun {
  count: string | number;
  projects: { name: string; count: string | number }[];
  worst: { issueId: string; title: string; severity: string }[];
}

export interface Started {
  taskTokenJwt: string;
  batchId: string;
}

export interface Progress {
  batchId: string;
  state: 'RUNNING' | 'DONE' | 'FAILED';
  total: string | number;
  done: string | number;
  skipped: string | number;
}

interface Bulk {
  startBulkUpdate: (input: { path: { deploymentId: string }; body: Body }) => Promise<Partial<DryRun & Started>>;
  getIssueBatch: (input: { path: { deploymentId: string; batchId: string } }) => Promise<Progress>;
}

export const bulk = service<object>('IssuesService') as unknown as Bulk;
