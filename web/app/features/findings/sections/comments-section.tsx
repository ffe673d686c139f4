import { Button, Textarea } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import type { Issue } from '../model/queries.ts';
import { submitOnModEnter } from '../triage/submit-on-mod-enter.ts';
import { useDraftText } from '../triage/use-draft-text.ts';
import { FindingSection } from './finding-section.tsx';
import { commentsQuery, type IssueComment, MAX_COMMENT_LENGTH, useCommentActions } from './use-comments.ts';

/** What people write about the finding, oldest first, with a form for the next one. */
export function CommentsSection({ issue }: { issue: Issue }) {
  const org = useOrg();
  const comments = useInfiniteQuery(commentsQuery(org.id, issue.id));
  const { data, error, refetch } = comments;
  const all = data?.pages.flatMap((page) => page.comments) ?? [];
  return (
    <FindingSection title="Comments">
      {error && !data && <ProblemView error={error} onRetry={() => void refetch()} />}
      {all.length > 0 && (
        <ol className="finding-comments">
          {all.map((comment) => (
            <Comment key={comment.id} comment={comment} issueId={issue.id} />
          ))}
        </ol>
      )}
      <LoadMore {...comments} />
      <NewComment issueId={issue.id} />
    </FindingSection>
  );
}

function Comment({ comment, issueId }: { comment: IssueComment; issueId: string }) {
  const { id, author, isOwn, text, createdAt, editedAt } = comment;
  const [draft, setDraft] = useState<string>();
  const { update, remove } = useCommentActions(issueId);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (draft !== undefined && draft.trim() !== '')
      update.mutate({ id, text: draft.trim() }, { onSuccess: () => setDraft(undefined) });
  };
  return (
    <li className="finding-comment">
      <p className="finding-comment-head">
        <strong>{author}</strong>
        <span className="dimmed">
          <RelativeTime at={createdAt} />
          {editedAt !== undefined && ', edited'}
        </span>
        {isOwn && draft === undefined && (
          <span className="finding-comment-steps no-print">
            <Button size="compact-xs" variant="subtle" onClick={() => setDraft(text)}>
              Edit
            </Button>
            <Button size="compact-xs" variant="subtle" loading={remove.isPending} onClick={() => remove.mutate(id)}>
              Delete
            </Button>
          </span>
        )}
      </p>
      {draft === undefined ? (
        <Markdown text={text} />
      ) : (
        <form className="finding-note" onSubmit={save}>
          <Textarea
            aria-label="Comment"
            autosize
            minRows={2}
            maxRows={12}
            maxLength={MAX_COMMENT_LENGTH}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={submitOnModEnter}
          />
          <span className="finding-comment-steps">
            <Button type="submit" size="compact-sm" loading={update.isPending} disabled={draft.trim() === ''}>
              Save
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setDraft(undefined)}>
              Cancel
            </Button>
          </span>
        </form>
      )}
    </li>
  );
}

function NewComment({ issueId }: { issueId: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraftText(`comment ${issueId}`);
  const { create } = useCommentActions(issueId);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') create.mutate(text.trim(), { onSuccess: () => setText('') });
  };
  useShortcuts({ comment: () => field.current?.focus() });
  return (
    <form className="finding-note no-print" onSubmit={send}>
      <Textarea
        ref={field}
        label="Comment"
        description="Markdown is supported. @ada@example.com notifies a member."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={MAX_COMMENT_LENGTH}
        readOnly={create.isPending}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={submitOnModEnter}
      />
      <PermissionGate permission="issue:triage">
        {(isDisabled) => (
          <Button
            type="submit"
            size="compact-sm"
            variant="default"
            loading={create.isPending}
            disabled={isDisabled || text.trim() === ''}
          >
            Comment
          </Button>
        )}
      </PermissionGate>
    </form>
  );
}
