import { queryOptions } from '@tanstack/react-query';
import { currentRevision } from '#web/features/findings/model/pending-decisions.ts';
import { issues } from '#web/foundation/api/services.ts';

type Answer = Awaited<ReturnType<typeof issues.getIssue>>;

/** A finding, and the turn at which it was asked for: decisions that came later are not in it. */
export interface Issue extends Answer {
  loadedAtRevision: number;
}

export type Evidence = Awaited<ReturnType<typeof issues.getIssueEvidence>>;
export type HistoryEntry = Issue['activityHistory'][number];

/** The facts of a finding: what is shown first. */
export const issueQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'issue', issueId],
    queryFn: async ({ signal }): Promise<Issue> => {
      const loadedAtRevision = currentRevision();
      const input = { path: { deploymentId, issueId }, query: { includeCodeSnippet: true, includeIsArchived: true } };
      return { ...(await issues.getIssue(input, { signal })), loadedAtRevision };
    },
  });

/** Its code, which may be slow to come and must hold up nothing else. */
export const codeQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'issue', issueId, 'code'],
    queryFn: async ({ signal }) =>
      (await issues.getIssueCodeSnippets({ path: { deploymentId, issueId } }, { signal })).codeSnippets,
  });

/** Where it was seen, why it was taken for the same, and what became of others like it. */
export const evidenceQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'issue', issueId, 'evidence'],
    queryFn: ({ signal }) => issues.getIssueEvidence({ path: { deploymentId, issueId } }, { signal }),
  });
