import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { memo, useCallback, useEffect, useRef } from 'react';
import { Keycaps } from '#web/keys/keycaps.tsx';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { TypeChip } from '#web/parts/finding-chips.tsx';
import { LoadMore } from '#web/parts/load-more.tsx';
import { numberText } from '#web/parts/number-text.ts';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { When } from '#web/parts/when.tsx';
import { AsList } from './as-list.tsx';
import { NothingWaits } from './empty.tsx';
import { InboxRow } from './inbox-row.tsx';
import { type ReviewItem, reviewQuery } from './queries.ts';
import type { Chosen } from './use-chosen.ts';
import { useDone } from './use-done.ts';
import { useFresh } from './use-fresh.ts';

/** So close to the end of what is loaded, more is asked for. */
const NEAR_END = 10;

/** New and reopened findings, to be looked at one after the other. */
export function Review({ chosen }: { chosen: Chosen }) {
  const org = useOrg();
  const review = useInfiniteQuery(reviewQuery(org.id));
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = review;
  const done = useDone();
  const finish = (issueId: string) => {
    chosen.leave(issueId);
    done(issueId);
  };
  const latest = useRef(finish);
  latest.current = finish;
  const latestFinish = useCallback((issueId: string) => latest.current(issueId), []);
  useKeys(chosen.id === undefined ? {} : { done: () => finish(chosen.id ?? '') });
  const fresh = useFresh();
  const items = data?.pages.flatMap(({ issues }) => issues) ?? [];
  const isNearEnd = items.length === 0 || items.slice(-NEAR_END).some(({ issueId }) => issueId === chosen.id);
  const canGoOn = hasNextPage && !isFetchingNextPage && !review.isFetchNextPageError;
  useEffect(() => {
    if (isNearEnd && canGoOn) void fetchNextPage();
  }, [isNearEnd, canGoOn, fetchNextPage]);
  if (isPending) return <LoadingRows rows={8} height={72} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  const news = fresh.count > 0 && (
    <Button className="inbox-news" size="compact-sm" variant="default" onClick={fresh.show}>
      {numberText(fresh.count)} new
    </Button>
  );
  if (items.length === 0 && review.isFetchNextPageError)
    return <ProblemView error={error} onRetry={() => void fetchNextPage()} />;
  if (items.length === 0) return <>{news || (hasNextPage ? <LoadingRows rows={8} height={72} /> : <NothingWaits />)}</>;
  return (
    <>
      {news}
      <AsList of="REVIEW" />
      <ul className="inbox-rows" aria-label="To review">
        {items.map((item) => (
          <ReviewRow
            key={item.issueId}
            item={item}
            isChosen={item.issueId === chosen.id}
            onChoose={chosen.choose}
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

/** Only the rows that the cursor leaves and enters are drawn again. */
const ReviewRow = memo(function ReviewRow({ item, isChosen, onChoose, onDone }: ReviewRowProps) {
  const { issueId, title, severity, type, projectName, path, line, firstSeenAt, isReopened } = item;
  return (
    <InboxRow
      issueId={issueId}
      title={title}
      severity={severity}
      isChosen={isChosen}
      onChoose={onChoose}
      facts={
        <>
          <TypeChip type={type} />
          <span>{projectName}</span>
          <span className="inbox-path">{line > 0 ? `${path}:${line}` : path}</span>
          <span>
            {isReopened && 'reopened, first seen '}
            <When at={firstSeenAt} />
          </span>
        </>
      }
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
