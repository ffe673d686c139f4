import { queryOptions } from '@tanstack/react-query';
import { issues } from '#web/foundation/api/services.ts';
import { currentRevision } from './pending-decisions.ts';

type IssueReply = Awaited<ReturnType<typeof issues.getIssue>>;

/** A finding, with the revision of decisions at which it was requested; later decisions are not in it. */
export interface Issue extends IssueReply {
  loadedAtRevision: number;
}

export type Evidence = Awaited<ReturnType<typeof issues.getIssueEvidence>>;
export type HistoryEntry = Issue['activityHistory'][number];

/** The finding itself, which is shown first. */
export const issueQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'issue', issueId],
    queryFn: async ({ signal }): Promise<Issue> => {
      const loadedAtRevision = currentRevision();
      const input = { path: { deploymentId, issueId }, query: { includeCodeSnippet: true, includeIsArchived: true } };
      return { ...(await issues.getIssue(input, { signal })), loadedAtRevision };
    },
  });

/** Its code, loaded separately because it may be slow. */
export const codeQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'issue', issueId, 'code'],
    queryFn: async ({ signal }) =>
      (await issues.getIssueCodeSnippets({ path: { deploymentId, issueId } }, { signal })).codeSnippets,
  });

/** Where it was seen, why scans matched it, and how findings of the same rule were triaged. */
export const evidenceQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'issue', issueId, 'evidence'],
    queryFn: ({ signal }) => issues.getIssueEvidence({ path: { deploymentId, issueId } }, { signal }),
  });
