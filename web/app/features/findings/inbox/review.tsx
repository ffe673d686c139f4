import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { memo, useCallback, useEffect, useRef } from 'react';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { FindingFacts } from './finding-facts-line.tsx';
import { InboxRow } from './inbox-row.tsx';
import { type ReviewItem, reviewQuery } from './queries.ts';
import { ShowAsList } from './show-as-list.tsx';
import type { InboxCursor } from './use-inbox-cursor.ts';
import { useMarkDone } from './use-mark-done.ts';
import { useNewFindings } from './use-new-findings.ts';

/** Loads more when the cursor is this close to the last loaded row. */
const LOAD_MORE_WITHIN = 10;

/** New and reopened findings to review one by one. */
export function Review({ cursor }: { cursor: InboxCursor }) {
  const org = useOrg();
  const review = useInfiniteQuery(reviewQuery(org.id));
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = review;
  const markDone = useMarkDone();
  const finish = (issueId: string) => {
    cursor.skipRemoved(issueId);
    markDone(issueId);
  };
  const latest = useRef(finish);
  latest.current = finish;
  const latestFinish = useCallback((issueId: string) => latest.current(issueId), []);
  useShortcuts(cursor.id === undefined ? {} : { done: () => finish(cursor.id ?? '') });
  const newFindings = useNewFindings();
  const items = data?.pages.flatMap(({ issues }) => issues) ?? [];
  const isNearEnd = items.length === 0 || items.slice(-LOAD_MORE_WITHIN).some(({ issueId }) => issueId === cursor.id);
  const canLoadMore = hasNextPage && !isFetchingNextPage && !review.isFetchNextPageError;
  useEffect(() => {
    if (isNearEnd && canLoadMore) void fetchNextPage();
  }, [isNearEnd, canLoadMore, fetchNextPage]);
  if (isPending) return <LoadingRows rows={8} height={72} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  const newButton = newFindings.count > 0 && (
    <Button className="inbox-new" size="compact-sm" variant="default" onClick={newFindings.show}>
      {formatNumber(newFindings.count)} new
    </Button>
  );
  if (items.length === 0 && review.isFetchNextPageError)
    return <ProblemView error={error} onRetry={() => void fetchNextPage()} />;
  if (items.length === 0)
    return <>{newButton || (hasNextPage ? <LoadingRows rows={8} height={72} /> : <EmptyInbox />)}</>;
  return (
    <>
      {newButton}
      <ShowAsList tabName="REVIEW" />
      <ul className="inbox-rows" aria-label="To review">
        {items.map((item) => (
          <ReviewRow
            key={item.issueId}
            item={item}
            isChosen={item.issueId === cursor.id}
            onChoose={cursor.choose}
            onDone={latestFinish}
          />
        ))}
      </ul>
      <LoadMore {...review} />
    </>
  );
}

interface ReviewRowProps {
  item: ReviewItem;
  isChosen: boolean;
  onChoose: (issueId: string) => void;
  onDone: (issueId: string) => void;
}

/** Memoized, so that moving the cursor renders two rows only. */
const ReviewRow = memo(function ReviewRow({ item, isChosen, onChoose, onDone }: ReviewRowProps) {
  const { issueId, title, severity } = item;
  return (
    <InboxRow
      issueId={issueId}
      title={title}
      severity={severity}
      isChosen={isChosen}
      onChoose={onChoose}
      facts={<FindingFacts item={item} />}
      actions={
        <Tooltip
          label={
            <>
              Done with it <Keycaps name="done" />
            </>
          }
        >
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Done with ISS-${issueId}`}
            onClick={() => onDone(issueId)}
          >
            <Check size={16} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
});
