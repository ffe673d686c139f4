import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { ApprovalForm } from './approval-form.tsx';
import { AllDone } from './empty-inbox.tsx';
import { InboxRow } from './inbox-row.tsx';
import { approvalHistory } from './inbox-tabs.ts';
import { type ApprovalRequest, approvalsQuery } from './queries.ts';
import { ShowAsList } from './show-as-list.tsx';
import type { InboxCursor } from './use-inbox-cursor.ts';

/** Requests to ignore findings, with their context. */
export function Approvals({ cursor }: { cursor: InboxCursor }) {
  const org = useOrg();
  const list = useInfiniteQuery(approvalsQuery(org.id));
  const { data, error, isPending, refetch } = list;
  if (isPending) return <LoadingRows rows={4} height={120} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  const requests = data.pages.flatMap((page) => page.requests);
  if (requests.length === 0)
    return <AllDone title="No pending requests" why="If ignoring findings needs approval, the requests appear here." />;
  return (
    <>
      <ShowAsList tabName="APPROVALS" />
      <ul className="inbox-rows" aria-label="Approvals">
        {requests.map((request) => (
          <RequestRow key={request.requestId} request={request} cursor={cursor} />
        ))}
      </ul>
      <LoadMore {...list} />
    </>
  );
}

function RequestRow({ request, cursor }: { request: ApprovalRequest; cursor: InboxCursor }) {
  const [answer, setAnswer] = useState<'approve' | 'deny'>();
  const { issueId, title, severity, projectName, requester, reason, note, createdAt, until } = request;
  const why = REASON_LABELS[reason ?? ''];
  return (
    <InboxRow
      issueId={issueId}
      title={title}
      severity={severity}
      isChosen={cursor.id === issueId}
      onChoose={cursor.choose}
      facts={
        <>
          <span>{projectName}</span>
          <span>
            {requester} asks to ignore it{why !== undefined && `: ${why.toLowerCase()}`},{' '}
            <RelativeTime at={createdAt} />
          </span>
          {until !== undefined && (
            <span>
              until <RelativeTime at={until} />
            </span>
          )}
        </>
      }
    >
      {note !== '' && (
        <blockquote className="inbox-quote">
          <Markdown text={note} />
        </blockquote>
      )}
      <p className="inbox-row-facts">{approvalHistory(request.sameRuleApproved, request.sameRuleAsked)}</p>
      {answer === undefined ? (
        <Answers title={title} onAnswer={setAnswer} />
      ) : (
        <ApprovalForm
          request={request}
          isApproved={answer === 'approve'}
          onClose={() => setAnswer(undefined)}
          onDone={() => cursor.skipRemoved(issueId)}
        />
      )}
    </InboxRow>
  );
}

interface AnswersProps {
  title: string;
  onAnswer: (answer: 'approve' | 'deny') => void;
}

function Answers({ title, onAnswer }: AnswersProps) {
  return (
    <PermissionGate permission="issue:triage">
      {(isDisabled) => (
        <span className="inbox-answers">
          <Button
            size="compact-sm"
            disabled={isDisabled}
            aria-label={`Approve: ${title}`}
            onClick={() => onAnswer('approve')}
          >
            Approve…
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={isDisabled}
            aria-label={`Deny: ${title}`}
            onClick={() => onAnswer('deny')}
          >
            Deny…
          </Button>
        </span>
      )}
    </PermissionGate>
  );
}
