import { useInfiniteQuery } from '@tanstack/react-query';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { AllDone } from './empty-inbox.tsx';
import { FindingFacts } from './finding-facts-line.tsx';
import { InboxRow } from './inbox-row.tsx';
import { assignedQuery } from './queries.ts';
import { ShowAsList } from './show-as-list.tsx';
import type { InboxCursor } from './use-inbox-cursor.ts';

/** Findings that are assigned to the person and not fixed or ignored. */
export function Assigned({ cursor }: { cursor: InboxCursor }) {
  const org = useOrg();
  const assigned = useInfiniteQuery(assignedQuery(org.id));
  const { data, error, isPending, refetch } = assigned;
  if (isPending) return <LoadingRows rows={8} height={72} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  const items = data.pages.flatMap(({ issues }) => issues);
  if (items.length === 0)
    return (
      <AllDone
        title="Nothing is assigned to you"
        why="Press M on a finding to take it, or A to assign it to somebody."
      />
    );
  return (
    <>
      <ShowAsList tabName="ASSIGNED" />
      <ul className="inbox-rows" aria-label="Assigned to me">
        {items.map((item) => (
          <InboxRow
            key={item.issueId}
            issueId={item.issueId}
            title={item.title}
            severity={item.severity}
            isChosen={item.issueId === cursor.id}
            onChoose={cursor.choose}
            facts={<FindingFacts item={item} />}
          />
        ))}
      </ul>
      <LoadMore {...assigned} />
    </>
  );
}
