import { service } from '#web/api/client.ts';

interface Seen {
  at: string;
  scanId?: string;
  commit?: string;
  ref?: string;
  by?: string;
}

interface Place {
  path: string;
  line: number;
}

export interface Evidence {
  firstSeen: Seen;
  lastSeen: Seen;
  refs: {
    refId: string;
    ref: string;
    isPrimary: boolean;
    status: string;
    path: string;
    line: number;
    firstSeenAt: string;
    lastSeenAt: string;
  }[];
  matches: { at: string; scanId: string; tier: string; sentence: string; from?: Place; to?: Place }[];
  events: {
    id: string;
    at: string;
    kind: string;
    by: string;
    batchId: string;
    canUndo: boolean;
    before: unknown;
    after: unknown;
    note: string;
  }[];
  sameRule: { open: number; fixed: number; ignored: number; falsePositive: number; q: string };
  suggestions: { issueId: string; sentence: string }[];
}

interface Pending {
  getIssueEvidence: (
    input: { path: { deploymentId: string; issueId: string } },
    options?: { signal?: AbortSignal },
  ) => Promise<Evidence>;
}

export const evidenceService = service<never>('IssuesService') as unknown as Pending;
