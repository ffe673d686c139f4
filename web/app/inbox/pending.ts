import { type CallOptions, service } from '#web/api/client.ts';

export type TabName = 'REVIEW' | 'APPROVALS' | 'EXPIRING' | 'FAILING';

interface Path {
  path: { deployment: string };
}

interface Paged extends Path {
  query: { limit?: number; cursor?: string };
}

export interface ReviewItem {
  issueId: string;
  title: string;
  severity: string;
  type: string;
  projectName: string;
  path: string;
  line: number;
  ref: string;
  firstSeenAt: string;
  isReopened: boolean;
}

export interface ApprovalRequest {
  requestId: string;
  issueId: string;
  title: string;
  severity: string;
  projectName: string;
  requester: string;
  reason?: string;
  note: string;
  createdAt: string;
  until?: string;
  sameRuleApproved: string;
  sameRuleAsked: string;
}

export interface ExpiringDecision {
  issueId: string;
  title: string;
  severity: string;
  projectName: string;
  reason?: string;
  until: string;
}

export interface Expiring {
  decisions: ExpiringDecision[];
  tokens: { id: string; name: string; expiresAt: string }[];
}

export interface Failing {
  scans: { scanId: string; projectId: string; projectName: string; ref: string; at: string; reason: string }[];
  projects: { projectId: string; projectName: string; lastScanAt?: string }[];
}

interface Pending {
  getInbox: (input: Path, options?: CallOptions) => Promise<{ tabs: { tab: TabName; count: string; q?: string }[] }>;
  listReview: (input: Paged, options?: CallOptions) => Promise<{ issues: ReviewItem[]; cursor?: string }>;
  listApprovals: (input: Paged, options?: CallOptions) => Promise<{ requests: ApprovalRequest[]; cursor?: string }>;
  listExpiring: (input: Path, options?: CallOptions) => Promise<Expiring>;
  listFailing: (input: Path, options?: CallOptions) => Promise<Failing>;
  markDone: (input: Path & { body: { issueIds: string[] } }) => Promise<unknown>;
  markUndone: (input: Path & { body: { issueIds: string[] } }) => Promise<unknown>;
  decideException: (input: {
    path: { deployment: string; requestId: string };
    body: { isApproved: boolean; note?: string; until?: string };
  }) => Promise<unknown>;
}

export const inbox = service<never>('InboxService') as unknown as Pending;
