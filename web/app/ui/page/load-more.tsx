import { Button } from '@mantine/core';
import './load-more.css';

interface LoadMoreProps {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the next page of a list. */
export function LoadMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: LoadMoreProps) {
  if (!hasNextPage) return null;
  return (
    <div className="load-more no-print">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </div>
  );
}
