import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { issues } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';

export type IssueComment = Awaited<ReturnType<typeof issues.listIssueComments>>['comments'][number];

/** The API's limit for comments. */
export const MAX_COMMENT_LENGTH = 10_000;

export const commentsQuery = (deploymentId: string, issueId: string) =>
  infiniteQueryOptions({
    queryKey: [deploymentId, 'comments', issueId],
    queryFn: ({ pageParam: cursor, signal }) =>
      issues.listIssueComments({ path: { deploymentId, issueId }, query: { cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === undefined || cursor === '' ? undefined : cursor),
  });

/** Writes, changes and deletes comments of a finding; failures are notified. */
export function useCommentActions(issueId: string) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const onSuccess = async () => {
    await queryClient.invalidateQueries({ queryKey: [deploymentId, 'comments', issueId] });
    void queryClient.invalidateQueries({ queryKey: [deploymentId, 'issue', issueId] });
  };
  const shared = { onSuccess, onError: notifyProblem };
  const create = useMutation({
    ...shared,
    mutationFn: (text: string) => issues.createIssueComment({ path: { deploymentId, issueId }, body: { text } }),
  });
  const update = useMutation({
    ...shared,
    mutationFn: ({ id, text }: { id: string; text: string }) =>
      issues.updateIssueComment({ path: { deploymentId, commentId: id }, body: { text } }),
  });
  const remove = useMutation({
    ...shared,
    mutationFn: (id: string) => issues.deleteIssueComment({ path: { deploymentId, commentId: id } }),
  });
  return { create, update, remove };
}
